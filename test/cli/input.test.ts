import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { readBytes } from '../../src/cli/process/io.ts'

async function* endless() {
  for (;;) yield Buffer.alloc(100)
}

test('an input without end is read to its limit', async () => {
  const { signal } = new AbortController()
  expect(await readBytes(endless(), 1_000, signal)).toHaveLength(1_100)
})

test('an interruption ends the read of an input that brings nothing', async () => {
  const input = new PassThrough()
  const stop = new AbortController()
  const reading = readBytes(input, 1_000, stop.signal)
  stop.abort('SIGINT')
  await expect(reading).rejects.toThrow('The read was interrupted.')
  expect(input.destroyed).toBe(true)
})

test('an interruption ends the read of a pipe that nobody writes to, whose stream cannot end', async () => {
  const input = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }), destroy: () => {} }
  const stop = new AbortController()
  const reading = readBytes(input, 1_000, stop.signal)
  stop.abort('SIGTERM')
  await expect(reading).rejects.toThrow('The read was interrupted.')
})
