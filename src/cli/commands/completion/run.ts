import { resolve } from 'node:path'
import type { Io } from '../../process/io.ts'
import { quoted } from '../../process/program-name.ts'
import type { Session } from '../../session/session.ts'
import { type Shell, scriptFor } from './scripts.ts'

/**
 * The words that call this program from any folder. Outside of this folder, a package runner would look the name up
 * in the registry and run a foreign package.
 */
function callable({ program, launcher, cwd }: Io): string {
  const [, path] = /^node "?(.+?)"?$/.exec(program) ?? []
  if (path !== undefined) return `node ${quoted(resolve(cwd, path))}`
  return program.includes(' ') ? launcher.map(quoted).join(' ') : program
}

export function print({ io, output }: Session, shell: Shell): Promise<void> {
  output.raw(scriptFor(shell, callable(io)))
  const word = io.program.split(' ').at(-1)!
  if (io.program !== word)
    output.note((paint) =>
      paint.dim(`The script completes the word ${word}. To use it here: alias ${word}='${callable(io)}'`),
    )
  return Promise.resolve()
}
