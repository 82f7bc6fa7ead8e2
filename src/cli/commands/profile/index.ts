import { type Command, Option } from 'commander'
import { DEFAULT_BASE_URL } from '../../../words/default-url.ts'
import { addPair } from '../../generate/flags.ts'
import { type Run, setAction } from '../../session/session.ts'
import { OUTPUT_GLOBALS } from '../../target/globals.ts'
import { addProfile } from './add.ts'
import { listProfiles, removeProfile, showProfile, useProfile } from './run.ts'

export function add(program: Command, run: Run) {
  const group = program
    .command('profile')
    .helpGroup('managing')
    .description('Save services by name: address, key and custom paths')
  group.helpCommand(false).usage('<command>').addHelpText('after', NOTES)
  addAdd(group, run)
  const use = subcommand(group, 'use', 'Use a profile when nothing else names a service', 'use staging')
    .argument('[name]')
    .option('--none', 'use no profile')
  setAction(use, run, { ...LOCAL, effect: 'writes' }, useProfile)
  const list = subcommand(group, 'list', 'List the profiles, without whole keys', 'list')
  setAction(list, run, { ...LOCAL, effect: 'reads' }, listProfiles)
  const show = subcommand(group, 'show', 'Show a profile', 'show staging').argument(
    '[name]',
    'name of the profile (default: the one in use)',
  )
  setAction(show, run, { ...LOCAL, effect: 'reads' }, showProfile)
  const remove = subcommand(group, 'remove', 'Remove a profile and its key', 'remove staging').argument('<name>')
  setAction(remove, run, { ...LOCAL, effect: 'destroys' }, removeProfile)
}

const LOCAL = { needs: 'nothing', globals: OUTPUT_GLOBALS } as const

const subcommand = (group: Command, name: string, about: string, example: string) =>
  group.command(name).description(about).addHelpText('after', `\nExample:\n  $ sandbox profile ${example}`)

function addAdd(group: Command, run: Run) {
  const example = 'add staging --base-url https://staging.example.com --api-key-file key.txt'
  const command = subcommand(group, 'add', 'Add a profile', example)
    .argument('<name>')
    .option('--base-url <url>', 'address of the service')
    .option('--api-key-file <file>', 'file that holds the key, - for stdin')
    .option('--api-key-command <command>', 'command that prints the key, run for each call')
    .option('--keychain', "keep the key in the system's keychain; needs the package @napi-rs/keyring")
    .option('--no-api-key', 'keep no key; each call takes SANDBOX_API_KEY or --api-key')
    .option('--ca-file <file>', 'PEM file with more certificate authorities')
    .addOption(
      new Option(
        '--path <operation=path>',
        'path of an operation that the interface leaves open: billing.balance=/v1/wallet (repeatable)',
      ).argParser(addPair),
    )
    .option('--use', 'use this profile from now on')
    .option('--force', 'replace a profile of this name')
  setAction(command, run, { ...LOCAL, effect: 'writes' }, addProfile)
}

const NOTES = `
Profiles are kept in profiles.json in your configuration folder, readable only by you. The key comes from a file, stdin, a command,
SANDBOX_API_KEY or a question.

The first of these names the service of a command: --base-url or --profile; SANDBOX_BASE_URL; SANDBOX_PROFILE; a sandbox that runs in
this folder; the profile in use; ${DEFAULT_BASE_URL}. "sandbox status" shows the service and why it was chosen.

Examples:
  $ sandbox profile add staging --base-url https://staging.example.com --api-key-file key.txt
  $ sandbox profile add prod --base-url https://api.example.com --api-key-command "pass show messaging/prod"
  $ sandbox profile add prod --base-url https://api.example.com --keychain
  $ sandbox profile use staging
  $ sandbox billing balance --profile prod`
