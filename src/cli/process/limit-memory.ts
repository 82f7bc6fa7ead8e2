import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { deadline } from '../../http/sleep.ts'

/**
 * Limits the memory of V8, which would take 300 MB under load (docs/decisions/a-small-server.md): the space for new objects
 * does not grow by itself, one thread clears it, and the middle compiler, which keeps its data, is left out.
 */
export function limitMemory(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--no-parallel-scavenge')
  setFlagsFromString('--heap-growing-percent=30')
  setFlagsFromString('--no-maglev')
}

/** Gives V8 its own settings back: compiled code is read under these. */
export function liftLimits(): void {
  setFlagsFromString('--semi-space-growth-factor=2')
  setFlagsFromString('--parallel-scavenge')
  setFlagsFromString('--heap-growing-percent=0')
  setFlagsFromString('--maglev')
}

/** The limit of the space for new objects, both halves together. */
const MOST_NEW_BYTES = 16 * 1024 * 1024

/** The first requests do not wait for what this reads in, ms. */
const GROW_AFTER_MS = 500

/**
 * Lets the space for new objects grow to a limit, since V8 takes limits only when a process begins. Returns a function
 * that ends the growth.
 */
export function growNewSpace(): () => void {
  let factor = 1
  const growBy = (wanted: number) => {
    if (wanted !== factor) setFlagsFromString(`--semi-space-growth-factor=${wanted}`)
    factor = wanted
  }
  const observer = () =>
    new PerformanceObserver(() => {
      const { space_size } = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')!
      growBy(space_size < MOST_NEW_BYTES ? 2 : 1)
    })
  let observing: ReturnType<typeof observer> | undefined
  const cancel = deadline(GROW_AFTER_MS, () => {
    observing = observer()
    observing.observe({ entryTypes: ['gc'] })
  })
  return () => {
    cancel()
    observing?.disconnect()
    growBy(1)
  }
}
