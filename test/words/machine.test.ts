import { expect, expectTypeOf, test } from 'vitest'
import { type MachineEffect, type MachineState, type MachineTrigger, machine } from '../../src/words/machine.ts'

// biome-ignore format: a table is read by column
const door = machine([
  // from      on         to         effects
  ['open',     'close',   'closed'],
  ['closed',   'open',    'open',    'ring bell'],
  ['closed',   'lock',    'locked',  'keep key', 'tell owner'],
  ['locked',   'unlock',  'closed'],
])

test('a trigger takes the step of its row', () => {
  expect(door.next('closed', 'lock')).toEqual({
    from: 'closed',
    on: 'lock',
    to: 'locked',
    effects: ['keep key', 'tell owner'],
  })
  expect(door.next('open', 'close')).toMatchObject({ to: 'closed', effects: [] })
})

test('every state and trigger that the table does not list is refused', () => {
  const listed = new Set(door.steps.map(({ from, on }) => `${from} ${on}`))
  for (const state of door.states)
    for (const trigger of door.triggers)
      expect(door.next(state, trigger) !== undefined, `${state} ${trigger}`).toBe(listed.has(`${state} ${trigger}`))
  expect(door.next('burnt', 'open')).toBeUndefined()
})

test('states and triggers are listed once, in the order of the table', () => {
  expect(door.states).toEqual(['open', 'closed', 'locked'])
  expect(door.triggers).toEqual(['close', 'open', 'lock', 'unlock'])
})

test('two rows for one state and trigger are refused', () => {
  const rows = [
    ['open', 'close', 'closed'],
    ['open', 'close', 'slammed'],
  ] as const
  expect(() => machine(rows)).toThrow('two rows for open on close')
})

test('the types of a table are its words', () => {
  expectTypeOf<MachineState<typeof door>>().toEqualTypeOf<'open' | 'closed' | 'locked'>()
  expectTypeOf<MachineTrigger<typeof door>>().toEqualTypeOf<'close' | 'open' | 'lock' | 'unlock'>()
  expectTypeOf<MachineEffect<typeof door>>().toEqualTypeOf<'ring bell' | 'keep key' | 'tell owner'>()
})
