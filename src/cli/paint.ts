type Brush = (text: string) => string

/** The few marks that output for people is made with. */
export interface Paint {
  bold: Brush
  dim: Brush
  red: Brush
  green: Brush
  yellow: Brush
  cyan: Brush
}

const same: Brush = (text) => text
export const plain: Paint = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same }

/** https://no-color.org: any value that is not empty switches colour off. */
export async function paintFor(wanted: boolean, env: Readonly<Record<string, string | undefined>>): Promise<Paint> {
  if (!wanted || env.NO_COLOR || env.TERM === 'dumb') return plain
  const { Chalk } = await import('chalk')
  const { bold, dim, red, green, yellow, cyan } = new Chalk({ level: 1 })
  return { bold, dim, red, green, yellow, cyan }
}
