import { setFlagsFromString } from 'node:v8'

/**
 * Limits the memory of V8. Under load it would take 300 MB: the space for new objects grows, the heap may double, and
 * the middle compiler keeps its data. One thread clears so small a space for new objects sooner than several that first
 * have to agree (docs/decisions/a-small-server.md).
 */
export function limitMemory(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--no-parallel-scavenge')
  setFlagsFromString('--heap-growing-percent=60')
  setFlagsFromString('--no-maglev')
}
