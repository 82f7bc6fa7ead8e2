import { kebab } from '../../words/kebab.ts'
import { abouts } from './abouts.ts'
import { commandFiles } from './command-files.ts'

/** Every word that may follow `sandbox`. */
const FIRST_WORDS: readonly string[] = [
  'help',
  // A shortcut of a noun's file, which is not read in for a hint.
  'explain',
  // Runs in a sandbox of its own.
  'run --fresh',
  ...Object.keys(commandFiles),
  ...abouts.flatMap(({ name, alias }) => [kebab(name), ...(alias ? [alias] : [])]),
]

const COMMAND = new RegExp(`(?<![\\w/.-])(?<!\\bthe )sandbox (?=(${FIRST_WORDS.join('|')})\\b|--[a-z]|\\[options)`, 'g')

/** Commands that call no service, or another one than the last. */
const WITHOUT_TARGET = /^(run --fresh|start|help|commands|completion|init|profile|exec)$/

/**
 * Replaces `sandbox` before a command by the words that called this program, and by the options that lead to the same
 * service. The word that follows distinguishes a command from prose.
 */
export const withProgramName = (text: string, program: string, targetFlags = ''): string =>
  text.replace(COMMAND, (_, word?: string) =>
    word === undefined || WITHOUT_TARGET.test(word) ? `${program} ` : `${program}${targetFlags} `,
  )
