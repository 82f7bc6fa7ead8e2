import type { ChildProcess } from 'node:child_process'
import { problem } from '../words/problem.ts'

/** A process without a file for its pipes is not started: Node gives it no streams, and reports that later. */
export function spawned<P extends ChildProcess>(child: P): P {
  if (child.stdio !== undefined) return child
  child.on('error', () => {})
  throw problem('too_many_open_files')
}
