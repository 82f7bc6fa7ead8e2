import { expect, test } from 'vitest'
import { machine } from '../../src/words/machine.ts'
import { type Moves, transition } from '../../src/words/transition.ts'

// biome-ignore format: a table is read by column
const door = machine([
  // from      on         to         effects
  ['open',     'close',   'closed'],
  ['closed',   'open',    'open',    'ring bell'],
  ['closed',   'lock',    'locked',  'keep key', 'tell owner'],
])

interface Door {
  name: string
  status: 'open' | 'closed' | 'locked'
  key: string | null
}

interface House {
  /** The table of the doors. */
  doors: Map<string, Door>
  effects: string[]
}

const moves: Moves<'ring bell' | 'keep key' | 'tell owner', Door, House> = {
  write(row, { from }, { doors, effects: made }) {
    if (doors.get(row.name)?.status !== from) return false
    doors.set(row.name, { ...row })
    made.push(`${row.name} is ${row.status}`)
    return true
  },
  effects: {
    'ring bell': ({ name }, { effects: made }) => made.push(`${name} rings`),
    'keep key': {
      sets: () => ({ key: 'brass' }),
      after: ({ name }, { effects: made }) => made.push(`the key of ${name} is hung up`),
    },
    'tell owner': ({ key }, { effects: made }) => made.push(`locked with ${key}`),
  },
}

function houseWith(status: Door['status']): { front: Door; house: House } {
  const front: Door = { name: 'front', status, key: null }
  return { front, house: { doors: new Map([['front', { ...front }]]), effects: [] } }
}

test('a step changes the row, writes it, and then does the rest in the order of the table', () => {
  const { front, house } = houseWith('closed')
  expect(transition(door, front, 'lock', moves, house)).toEqual({ name: 'front', status: 'locked', key: 'brass' })
  expect(house.doors.get('front')).toEqual({ name: 'front', status: 'locked', key: 'brass' })
  expect(house.effects).toEqual(['front is locked', 'the key of front is hung up', 'locked with brass'])
})

test('the row that is given stays as it was', () => {
  const { front, house } = houseWith('closed')
  transition(door, front, 'lock', moves, house)
  expect(front).toEqual({ name: 'front', status: 'closed', key: null })
})

test('a trigger without a step returns undefined and has no effect', () => {
  const { front, house } = houseWith('open')
  expect(transition(door, front, 'lock', moves, house)).toBeUndefined()
  expect(house).toEqual(houseWith('open').house)
})

test('a row that has left its state meanwhile is a bug, and no effect follows', () => {
  const { front, house } = houseWith('closed')
  house.doors.set('front', { ...front, status: 'open' })
  expect(() => transition(door, front, 'lock', moves, house)).toThrow('a row has left closed before it could lock')
  expect(house.effects).toEqual([])
})

test('an effect that nothing implements does not pass the type check', () => {
  const { 'tell owner': _, ...others } = moves.effects
  const mute = { ...moves, effects: others }
  const { front, house } = houseWith('open')
  // @ts-expect-error the table names an effect that has no implementation
  transition(door, front, 'close', mute, house)
  // @ts-expect-error the table has no such trigger
  expect(transition(door, front, 'slam', moves, house)).toBeUndefined()
})
