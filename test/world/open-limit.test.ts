import { expect, onTestFinished, test, vi } from 'vitest'
import { realTime } from '../../src/world/real-time.ts'
import { OpenWorldLimit } from '../../src/world/worlds/open-limit.ts'
import { Worlds } from '../../src/world/worlds/worlds.ts'

/** A thousand worlds without data or work, of which 256 may be open. */
function worlds() {
  const all = Array.from({ length: 1_000 }, () => {
    const lifecycle = {
      isEvicted: true,
      evict() {
        lifecycle.isEvicted = true
        return true
      },
    }
    return { usedAt: 0, openings: 0, lifecycle }
  })
  const limit = new OpenWorldLimit(256, () => all)
  onTestFinished(() => limit.stop())
  let uses = 0
  let mostOpen = 0
  const open = (n: number) => {
    const { lifecycle } = all[n]!
    if (!lifecycle.isEvicted) return
    limit.makeRoom(all[n]!)
    lifecycle.isEvicted = false
    all[n]!.openings++
    mostOpen = Math.max(mostOpen, all.filter((world) => !world.lifecycle.isEvicted).length)
  }
  return {
    /** Due work opens a world without using it. */
    runDueWork: open,
    useInTurn(from: number, to: number) {
      for (let n = from; n < to; n++) {
        all[n]!.usedAt = ++uses
        open(n)
      }
    },
    openings: (from: number, to: number) => all.slice(from, to).map(({ openings }) => openings),
    mostOpen: () => mostOpen,
  }
}

test('hundreds of worlds that are used once keep a quarter of the limit open', () => {
  const { useInTurn, mostOpen } = worlds()
  useInTurn(0, 600)
  expect(mostOpen()).toBe(64)
})

test('worlds used in turn that fit into the limit are opened twice at most', () => {
  const { useInTurn, openings, mostOpen } = worlds()
  useInTurn(0, 256)
  useInTurn(0, 256)
  const before = openings(0, 256)
  for (let round = 0; round < 5; round++) useInTurn(0, 256)
  expect(openings(0, 256)).toEqual(before)
  expect(Math.max(...before)).toBe(2)
  expect(mostOpen()).toBe(256)
})

test('worlds used in turn that do not fit into the limit keep a quarter of it open', () => {
  const { useInTurn, mostOpen } = worlds()
  for (let round = 0; round < 5; round++) useInTurn(0, 600)
  expect(mostOpen()).toBe(64)
})

test('worlds in steady use stay open while hundreds of others are used once', () => {
  const { useInTurn, openings } = worlds()
  for (let round = 0; round < 2; round++) useInTurn(0, 200)
  const before = openings(0, 136)
  useInTurn(200, 900)
  useInTurn(0, 136)
  expect(openings(0, 136)).toEqual(before)
})

test('worlds that were in steady use make room for those that follow', () => {
  const { useInTurn, openings, mostOpen } = worlds()
  for (let round = 0; round < 2; round++) useInTurn(0, 256)
  for (let round = 0; round < 3; round++) useInTurn(300, 500)
  const before = openings(300, 500)
  useInTurn(300, 500)
  expect(openings(300, 500)).toEqual(before)
  expect(mostOpen()).toBe(256)
})

test('due work opens a world without ending its probation', () => {
  const { useInTurn, runDueWork, mostOpen } = worlds()
  for (let n = 0; n < 600; n++) {
    useInTurn(n, n + 1)
    runDueWork(Math.max(0, n - 100))
  }
  expect(mostOpen()).toBe(64)
})

test('worlds used in one turn make room for each other although all have due work, which runs once', async () => {
  const ran: string[] = []
  const worlds = new Worlds({
    file: { seed: 'limit', sections: {} },
    clock: { mode: 'auto' },
    maxOpenNamespaces: 4,
    nouns: async () => [{ localWork: { note: (_, { subject }) => void ran.push(subject) } }],
    onFault: (error) => {
      throw error
    },
  })
  onTestFinished(() => worlds.close())
  await worlds.prepare()
  // A slice of due work ends early on a slow machine.
  const held = vi.spyOn(realTime, 'ms').mockReturnValue(realTime.ms())
  const names = Array.from({ length: 20 }, (_, n) => `suite-${n}`)
  for (const name of names) {
    const world = worlds.get(name)
    world.batchedTransaction(() => world.timers.schedule('note', name, world.now() + 1_000))
    expect(worlds.all().filter(({ lifecycle }) => !lifecycle.isEvicted).length).toBeLessThanOrEqual(4)
  }
  held.mockRestore()
  await expect.poll(() => ran.length).toBe(20)
  expect(ran.sort()).toEqual(names.sort())
})
