import { writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { programName } from '../../src/cli/process/program-name.ts'
import { folder } from '../folder.ts'
import { phones } from '../magic.ts'
import { createSandbox } from '../sandbox.ts'
import { sandboxCommand } from './terminal.ts'

const node = '/usr/bin/node'
const bin = '/home/ada/shop/node_modules/.bin/sandbox'
const npm = { npm_config_user_agent: 'npm/11.0.0 node/v24.0.0' }
const inBin = '/home/ada/shop/node_modules/.bin'

test.each([
  ['by npx', { argv: [node, bin], env: { ...npm, PATH: inBin } }, 'npx sandbox'],
  [
    'by npx under its other name',
    { argv: [node, bin.replace('sandbox', 'messaging-sandbox')], env: npm },
    'npx messaging-sandbox',
  ],
  ['by pnpm', { argv: [node, bin], env: { npm_config_user_agent: 'pnpm/10.0.0' } }, 'pnpm exec sandbox'],
  [
    'by pnpm, whose shim names its store',
    {
      argv: [
        node,
        '/home/ada/shop/node_modules/.pnpm/messaging-sandbox@0.1.0/node_modules/messaging-sandbox/bin/sandbox.js',
      ],
      env: { npm_config_user_agent: 'pnpm/12.0.0' },
    },
    'pnpm exec sandbox',
  ],
  [
    'by the shim of pnpm itself',
    {
      argv: [
        node,
        '/home/ada/shop/node_modules/.pnpm/messaging-sandbox@0.1.0/node_modules/messaging-sandbox/bin/sandbox.js',
      ],
      env: {},
    },
    'pnpm exec sandbox',
  ],
  [
    'by Yarn without node_modules',
    {
      argv: [
        node,
        '/home/ada/shop/.yarn/unplugged/messaging-sandbox-virtual-1/node_modules/messaging-sandbox/bin/sandbox.js',
      ],
      env: { npm_config_user_agent: 'yarn/4.0.0' },
    },
    'yarn sandbox',
  ],
  ['from a folder of PATH', { argv: [node, bin], env: { PATH: `/bin${delimiter}${inBin}` } }, 'sandbox'],
  ['installed for all', { argv: [node, '/usr/local/bin/sandbox'], env: { PATH: '/usr/local/bin' } }, 'sandbox'],
  ['by its path in the project', { argv: [node, bin], env: {} }, 'npx sandbox'],
  [
    'by its path in another project',
    { argv: [node, bin.replace('shop', 'mall')], env: {} },
    '../mall/node_modules/.bin/sandbox',
  ],
  ['as a script', { argv: [node, '/home/ada/shop/bin/sandbox.js'], env: {} }, 'node bin/sandbox.js'],
  ['as a binary', { argv: ['/opt/sandbox', '/opt/sandbox'], argv0: './sandbox', env: {} }, './sandbox'],
  [
    'with an older Node',
    { argv: [node, '/home/ada/shop/bin/sandbox.js'], env: { ...npm, SANDBOX_PINNED_NODE: bin } },
    'npx sandbox',
  ],
])('the program called %s uses that name', (_, call, name) => {
  expect(programName({ argv0: 'node', ...call }, '/home/ada/shop')).toBe(name)
})

test('hints for programs use the name under which the program was called', async () => {
  await using sandbox = await createSandbox()
  const cwd = await folder()
  await writeFile(join(cwd, 'a.yaml'), 'world: strict\nsteps: [{ check: 1, expect: 2 }]\n')
  await writeFile(join(cwd, 'a.csv'), `to\n${phones.ordinary}\n`)
  await sandbox.client.billing.setBalance({ free: 0 })
  const as = { program: 'npx sandbox', env: { SANDBOX_BASE_URL: sandbox.url }, cwd }
  const { stderr } = await sandboxCommand(['run', 'a.yaml'], as)
  expect(stderr).toContain('For a sandbox with its world: npx sandbox run --fresh a.yaml')
  const rehearsal = await sandboxCommand(['send', '--batch', 'a.csv', '--text', 'Hello', '--dry-run'], as)
  expect(rehearsal.error.hint).toContain(': npx sandbox billing topup')
  const recorded = await sandboxCommand(['record', '--since', 'start', '--out', 'b.yaml'], { ...as, tty: true })
  expect(recorded.stdout).toContain('npx sandbox run --fresh b.yaml')
  const added = await sandboxCommand(['profile', 'add', 'here', '--base-url', sandbox.url, '--no-api-key'], {
    ...{ ...as, env: { XDG_CONFIG_HOME: cwd } },
    tty: true,
  })
  expect(added.stdout).toContain('npx sandbox profile use here')
})

test('hints, help and next steps use the name under which the program was called', async () => {
  const as = { program: 'npx sandbox' }
  const { error } = await sandboxCommand(['billing', 'balance', '--base-url', 'http://localhost:1'], as)
  expect(error.hint).toContain('npx sandbox start')
  const { stdout } = await sandboxCommand(['send', '--help'], as)
  expect(stdout).toContain('Usage: npx sandbox send')
  expect(stdout).toContain('  $ npx sandbox send +491713920000')
  expect((await sandboxCommand(['send', '--txt', 'Hello'], as)).error.hint).toContain('npx sandbox send --help')
})
