import { kebab } from '../../words/kebab.ts'
import { abouts } from './abouts.ts'
import { commandFiles } from './command-files.ts'

/** Every word that may follow `sandbox`. */
const FIRST_WORDS: readonly string[] = [
  'help',
  ...Object.keys(commandFiles),
  ...abouts.flatMap(({ name, alias }) => [kebab(name), ...(alias ? [alias] : [])]),
]

const COMMAND = new RegExp(
  `(?<![\\w/.-])(?<!\\bthe )sandbox (?=(?:${FIRST_WORDS.join('|')})\\b|--[a-z]|\\[options)`,
  'g',
)

/**
 * Replaces `sandbox` before a command by the words that called this program. The word that follows tells a command from
 * prose.
 */
export const withProgramName = (text: string, program: string): string => text.replace(COMMAND, `${program} `)
