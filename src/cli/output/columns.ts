import type { Paint } from './paint.ts'

interface Cells {
  names: readonly string[]
  rows: readonly (readonly string[])[]
}

const GAP = 2

/** Columns are cut to this width at most, and never below their own name. */
const MIN_COLUMN_WIDTH = 12

/**
 * Prints rows under column names, no wider than the terminal. Ids and times are never cut, other texts get an ellipsis;
 * then columns are dropped from the right, and named below the table. Where fewer than two columns fit, each row is a
 * block of lines.
 */
export function table({ names, rows }: Cells, paint: Paint): string {
  const wanted = names.map((name, i) => widest([name, ...rows.map((row) => row[i]!)], paint))
  const least = names.map((name, i) =>
    isNeverCut(name) ? wanted[i]! : Math.min(wanted[i]!, Math.max(name.length, MIN_COLUMN_WIDTH)),
  )
  const count = howManyFit(least, paint.columns)
  if (count < Math.min(2, names.length)) return rows.map((row) => block(names, row, paint)).join('\n\n')
  const widths = distributeSpare(least.slice(0, count), wanted, paint.columns)
  const line = (texts: readonly string[]) => lineOf(texts, widths, paint)
  return [
    paint.dim(line(names)),
    ...rows.map(line),
    ...(count < names.length ? [paint.dim(`hidden here: ${names.slice(count).join(', ')}; --json shows all`)] : []),
  ].join('\n')
}

/** Half an id or half an instant is of no use. */
const isNeverCut = (name: string) => /(^|_)(id|at)$|^timestamp$/.test(name)

const widest = (texts: readonly string[], paint: Paint) => Math.max(...texts.map((text) => paint.widthOf(text)))

function howManyFit(widths: readonly number[], columns: number): number {
  let usedWidth = 0
  for (const [i, width] of widths.entries()) {
    usedWidth += width + (i > 0 ? GAP : 0)
    if (usedWidth > columns) return i
  }
  return widths.length
}

/** Widens truncated columns into the remaining width, from left to right. */
function distributeSpare(least: readonly number[], wanted: readonly number[], columns: number): number[] {
  let spare = columns - least.reduce((sum, width) => sum + width + GAP, -GAP)
  return least.map((width, i) => {
    const more = Math.min(wanted[i]! - width, spare)
    spare -= more
    return width + more
  })
}

function lineOf(texts: readonly string[], widths: readonly number[], paint: Paint): string {
  return widths
    .map((width, i) => padded(cut(texts[i]!, width, paint), width, paint))
    .join(' '.repeat(GAP))
    .trimEnd()
}

const block = (names: readonly string[], row: readonly string[], paint: Paint) =>
  aligned(
    names.map((name, i) => [name, row[i]!]),
    paint,
  ).join('\n')

/** Cuts a text to a width; an ellipsis stands for the rest. */
function cut(text: string, width: number, paint: Paint): string {
  if (paint.widthOf(text) <= width) return text
  let kept = ''
  // Made here, because the first one of a process costs 6 ms.
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (paint.widthOf(kept + segment) > width - 1) break
    kept += segment
  }
  return `${kept}…`
}

const padded = (text: string, width: number, paint: Paint) =>
  text + ' '.repeat(Math.max(0, width - paint.widthOf(text)))

/** Pads the cells of each column to one width. */
export function aligned(rows: readonly (readonly string[])[], paint: Paint): string[] {
  const widths =
    rows[0]?.map((_, i) =>
      widest(
        rows.map((row) => row[i]!),
        paint,
      ),
    ) ?? []
  return rows.map((row) =>
    row
      .map((cell, i) => padded(cell, widths[i]!, paint))
      .join(' '.repeat(GAP))
      .trimEnd(),
  )
}
