import type { Io } from '../process/io.ts'

type Style = (text: string) => string

/** The few marks that output for people is made with. Another one must be added to what printable.ts lets through. */
interface Styles {
  bold: Style
  dim: Style
  red: Style
  green: Style
  yellow: Style
  cyan: Style
}

export type StyleName = keyof Styles

/** What output for people is made with, and the room that there is for it. */
export interface Paint extends Styles {
  /** A command as it is typed here: `npx sandbox world show`. */
  command(words: string): string
  /** Of the terminal; without end where nobody knows. */
  readonly columns: number
  /** How many columns a text takes: a Chinese character and an emoji two, a colour none. */
  widthOf(text: string): number
}

const same: Style = (text) => text
const plain: Styles = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same }

/** For programs, which are told nothing in words. */
export const noPaint: Paint = {
  ...plain,
  command: (words) => `sandbox ${words}`,
  columns: Number.POSITIVE_INFINITY,
  widthOf: (text) => text.length,
}

/** https://no-color.org: any value that is not empty switches colour off. */
export async function paintFor(
  colour: boolean,
  { stdout, env, program }: Pick<Io, 'stdout' | 'env' | 'program'>,
): Promise<Paint> {
  const { default: widthOf } = await import('string-width')
  const brushes = colour && !env.NO_COLOR && env.TERM !== 'dumb' ? await coloured() : plain
  return {
    ...brushes,
    command: (words) => brushes.cyan(`${program} ${words}`),
    columns: (stdout.isTTY && stdout.columns) || Number.POSITIVE_INFINITY,
    widthOf: (text) => widthOf(text),
  }
}

async function coloured(): Promise<Styles> {
  const { Chalk } = await import('chalk')
  const { bold, dim, red, green, yellow, cyan } = new Chalk({ level: 1 })
  return { bold, dim, red, green, yellow, cyan }
}
