import { kebab } from '../../words/kebab.ts'
import { abouts } from './abouts.ts'
import { commandFiles } from './command-files.ts'

/** What a command can begin with. */
export const FIRST_WORDS: readonly string[] = [
  'help',
  ...Object.keys(commandFiles),
  ...abouts.flatMap(({ name, alias }) => [kebab(name), ...(alias ? [alias] : [])]),
]

const COMMAND = new RegExp(
  `(?<![\\w/.-])(?<!\\bthe )sandbox (?=(?:${FIRST_WORDS.join('|')})\\b|--[a-z]|\\[options)`,
  'g',
)

/**
 * Lets the commands in a text of ours begin with how this program was called. In sources they begin with `sandbox`, and are known
 * from prose by the word that follows.
 */
export const withProgramName = (text: string, program: string): string => text.replace(COMMAND, `${program} `)
