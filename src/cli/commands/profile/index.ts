import { type Command, Option } from 'commander'
import { addPair } from '../../generate/flags.ts'
import { type Run, setAction } from '../../session/session.ts'
import { DEFAULT_BASE_URL } from '../../target/choice.ts'
import { type AddFlags, addProfile } from './add.ts'
import { listProfiles, removeProfile, showProfile, useProfile } from './run.ts'

export function add(program: Command, run: Run) {
  const group = program
    .command('profile')
    .helpGroup('Emulator:')
    .description('Keep services by name: address, key, and paths that are their own')
  group.helpCommand(false).addHelpText('after', AFTER)
  addAdd(group, run)
  const use = group
    .command('use')
    .description('Use a profile from now on, where nothing nearer names a service')
    .argument('[name]')
    .option('--none', 'use no profile')
    .addHelpText('after', example('use staging'))
  setAction(use, run, ({ io, output }, [name], { none }) => useProfile(io, output, name, none === true), LOCAL)
  const list = group
    .command('list')
    .description('List the profiles; keys are never shown whole')
    .addHelpText('after', example('list'))
  setAction(list, run, ({ io, output }) => listProfiles(io, output), LOCAL)
  const show = group
    .command('show')
    .description('Show a profile')
    .argument('[name]', 'else the one in use')
    .addHelpText('after', example('show staging'))
  setAction(show, run, ({ io, output }, [name]) => showProfile(io, output, name), LOCAL)
  const remove = group
    .command('remove')
    .description('Forget a profile and its key')
    .argument('<name>')
    .addHelpText('after', example('remove staging'))
  setAction(remove, run, ({ io, output }, [name]) => removeProfile(io, output, name!), LOCAL)
}

const example = (words: string) => `\nExample:\n  $ sandbox profile ${words}`

const LOCAL = { globals: ['--json', '--no-color', '--output'] }

function addAdd(group: Command, run: Run) {
  const command = group
    .command('add')
    .description('Add a profile; its key comes from a file, stdin, a command, SANDBOX_API_KEY or a question')
    .argument('<name>')
    .option('--base-url <url>', 'address of the service')
    .option('--api-key-file <file>', 'read the key from this file, - for stdin')
    .option(
      '--api-key-command <command>',
      'keep no key, but a command that prints it, such as one that asks a keychain',
    )
    .option(
      '--keychain',
      "keep the key in the system's keychain, through the package @napi-rs/keyring where that is installed",
    )
    .option('--no-api-key', 'keep no key: SANDBOX_API_KEY or --api-key gives it each time')
    .option('--ca-file <file>', 'trust the authorities in this PEM file too')
    .addOption(
      new Option(
        '--path <operation=path>',
        'where the service has an operation that the interface leaves open: billing.balance=/v1/wallet (repeatable)',
      ).argParser(addPair),
    )
    .option('--use', 'use it from now on')
    .option('--force', 'replace a profile of this name')
    .addHelpText('after', example('add staging --base-url https://staging.example.com --api-key-file key.txt'))
  setAction(
    command,
    run,
    ({ io, output }, [name], options: AddFlags) => addProfile({ io, output }, name!, options),
    LOCAL,
  )
}

const AFTER = `
Profiles are kept in profiles.json in the folder for configuration of this user, readable by nobody else.

Which service a command speaks to, the nearest first: --base-url or --profile; SANDBOX_BASE_URL; SANDBOX_PROFILE; a sandbox
that runs in this folder; the profile in use; ${DEFAULT_BASE_URL}. "sandbox status" shows it, and why.

Examples:
  $ sandbox profile add staging --base-url https://staging.example.com --api-key-file key.txt
  $ sandbox profile add prod --base-url https://api.example.com --api-key-command "pass show messaging/prod"
  $ sandbox profile add prod --base-url https://api.example.com --keychain
  $ sandbox profile use staging
  $ sandbox billing balance --profile prod`
