/** Terminal columns of a text. */
type WidthOf = (text: string) => number

/** A label wider than this part of the line has no column beside it. */
const MAX_LABEL = 0.4

/** Begins a line of a message in a preview. */
const BAR = '│ '

/** Stands for a space that ends no line, as in a command to paste. No text has this character, which Unicode never assigns. */
const KEPT = '\ufdd0'

/** A text that is not broken between its words. */
export const kept = (text: string): string => text.replaceAll(' ', KEPT)

/** What is read or pasted as one: a command after a colon, a name in quotes, and an entry between dots. */
const TOGETHER =
  /(?<=: +)(?:(?:npx|node|pnpm exec|yarn|bunx) )?[^\s"]*sandbox\S* .*?(?=\.?$|\. )|"[^"]{1,60}"|(?<=· )[^·]{1,60}(?= ·|$)/g

// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters control a terminal
const STYLES = /\u001b\[\d+m/g

/** Breaks lines that are too wide between words; a line is wider only if it has a word that fits into none. */
export const wrapped = (text: string, width: number, widthOf: WidthOf = ({ length }) => length): string =>
  text
    .split('\n')
    .flatMap((line) =>
      widthOf(line) <= width ? line : hanging(line.trimEnd().replace(TOGETHER, kept), width, widthOf),
    )
    .join('\n')
    .replaceAll(KEPT, ' ')

/** A part of a line before a gap of two spaces or more, and a word; both with the spaces before them. */
const CELL = / *[^ ]+(?: [^ ]+)*/g
const WORD = / *[^ ]+/g

/**
 * Breaks a line between its cells, or else between words. Its further lines are indented, below the text if the line begins
 * with a sign or a label.
 */
function hanging(line: string, width: number, widthOf: WidthOf): string[] {
  const indents = indentsOf(line.replace(STYLES, ''), width, widthOf)
  const lines: string[] = []
  let current = ''
  /** Adds a text to this line, or begins another with it; false if none has room for it. */
  const add = (text: string, allowed: readonly string[]) => {
    if (widthOf(current + text) <= width) {
      current += text
      return true
    }
    const next = text.replace(/^ +/, '')
    const indent = allowed.find((one) => widthOf(one + next) <= width && widthOf(current) > one.length)
    if (indent === undefined) return false
    lines.push(current)
    current = indent + next
    return true
  }
  for (const cell of line.match(CELL) ?? [])
    if (!add(cell, indents.slice(0, 1)))
      // The terminal breaks a word that no line has room for, wherever it begins.
      for (const word of cell.match(WORD)!) if (!add(word, indents)) current += word
  return [...lines, current]
}

/** What further lines of a line begin with: room for its label, or less; the bar of a bubble goes on. */
function indentsOf(line: string, width: number, widthOf: WidthOf): string[] {
  const [little = ''] = /^ */.exec(line)!
  const [head = ''] = /^ *(?:[✓✗!→?] )?(?:\S+(?: \S+)* {2,})?/.exec(line)!
  const indent = line.startsWith(BAR) ? BAR : ' '.repeat(widthOf(head))
  const low = `${little}    `
  return widthOf(indent) > width * MAX_LABEL ? [low] : [indent, low]
}
