import type { Io } from '../process/io.ts'
import type { Output } from './output.ts'
import { printable } from './printable.ts'

const WIDTH = 24

export interface Progress {
  /** `share` is 0 to 1, or undefined if the total is unknown. */
  show(share: number | undefined, text: string): void
  end(): void
}

/** Draws a bar on stderr at a terminal; does nothing for programs. */
export function progressBar({ io, output }: { io: Io; output: Output }): Progress {
  if (!output.isForPeople || !io.stderr.isTTY) return { show: () => {}, end: () => {} }
  const { cyan, dim } = output.paint
  let drawn = ''
  return {
    show(share, text) {
      const full = Math.round(Math.min(1, share ?? 0) * WIDTH)
      const bar = share === undefined ? '' : `${cyan('█'.repeat(full))}${dim('░'.repeat(WIDTH - full))} `
      const line = `${bar}${printable(text)}`
      if (line === drawn) return
      drawn = line
      io.stderr.write(`\r${line}\u001b[K`)
    },
    end() {
      if (drawn) io.stderr.write('\r\u001b[K')
    },
  }
}
