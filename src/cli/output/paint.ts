import type { Io } from '../process/io.ts'
import { kept } from './wrap.ts'

type Style = (text: string) => string

/** The styles of terminal output. A new one must also be let through by printable.ts. */
interface Styles {
  bold: Style
  dim: Style
  red: Style
  green: Style
  yellow: Style
  cyan: Style
}

export type StyleName = keyof Styles

/** Styles, and the size of the terminal. */
export interface Paint extends Styles {
  /** A command as it is typed here: `npx sandbox world show`. */
  command(words: string): string
  /** A command with the name of its program, which stays on one line. */
  typed(command: string): string
  /** Width of the terminal; Infinity where it is unknown. */
  readonly columns: number
  /** Terminal columns of a text: a Chinese character and an emoji take two, a colour code none. */
  widthOf(text: string): number
}

const same: Style = (text) => text
const plain: Styles = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same }

/** For programs: no styles, no limit of width. */
export const noPaint: Paint = {
  ...plain,
  command: (words) => `sandbox ${words}`,
  typed: same,
  columns: Number.POSITIVE_INFINITY,
  widthOf: (text) => text.length,
}

/** https://no-color.org: any value that is not empty switches colour off. */
export async function paintFor(
  colour: boolean,
  { stdout, env }: Pick<Io, 'stdout' | 'env'>,
  aimed: (text: string) => string,
): Promise<Paint> {
  const { default: widthOf } = await import('string-width')
  const brushes = colour && !env.NO_COLOR && env.TERM !== 'dumb' ? await coloured() : plain
  const typed = (command: string) => brushes.cyan(kept(command))
  return {
    ...brushes,
    typed,
    command: (words) => typed(aimed(`sandbox ${words}`)),
    // A terminal may change its size.
    get columns() {
      return (stdout.isTTY && stdout.columns) || Number.POSITIVE_INFINITY
    },
    widthOf: (text) => widthOf(text),
  }
}

async function coloured(): Promise<Styles> {
  const { Chalk } = await import('chalk')
  const { bold, dim, red, green, yellow, cyan } = new Chalk({ level: 1 })
  return { bold, dim, red, green, yellow, cyan }
}
