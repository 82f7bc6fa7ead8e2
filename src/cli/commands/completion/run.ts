import { resolve } from 'node:path'
import type { Io } from '../../process/io.ts'
import { quoted } from '../../process/program-name.ts'
import type { Session } from '../../session/session.ts'
import { type Shell, scriptFor } from './scripts.ts'

/** The words that call this program from any folder. */
function callable({ program, cwd }: Io): string {
  const [, path] = /^node "?(.+?)"?$/.exec(program) ?? []
  return path === undefined ? program : `node ${quoted(resolve(cwd, path))}`
}

export function print({ io, output }: Session, shell: Shell): Promise<void> {
  output.raw(scriptFor(shell, callable(io)))
  const word = io.program.split(' ').at(-1)!
  if (io.program !== word)
    output.note((paint) =>
      paint.dim(
        `It completes the word ${word}. To use that one in place of "${io.program}": alias ${word}="${io.program}"`,
      ),
    )
  return Promise.resolve()
}
