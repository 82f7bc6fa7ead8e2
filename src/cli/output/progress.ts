import type { Output } from './output.ts'
import { printable } from './printable.ts'

const WIDTH = 24

export interface Progress {
  /** `share` is 0 to 1, or undefined if the total is unknown. */
  show(share: number | undefined, text: string): void
  end(): void
}

/** Draws a bar on stderr at a terminal; does nothing for programs. */
export function progressBar({ output }: { output: Output }): Progress {
  const { paint } = output
  return {
    show(share, text) {
      const full = Math.round(Math.min(1, share ?? 0) * WIDTH)
      const bar = share === undefined ? '' : `${paint.cyan('█'.repeat(full))}${paint.dim('░'.repeat(WIDTH - full))} `
      // A second line could not be removed.
      const left = paint.columns - (bar ? WIDTH + 1 : 0) - 1
      output.progress(`${bar}${printable(text).slice(0, Math.max(0, left))}`)
    },
    end: () => output.progress(''),
  }
}
