import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { connectSandbox, type Sandbox } from '../src/index.ts'
import { startSandbox } from './bench/processes.ts'
import { startShop } from './leases/shop.ts'
import { runTest } from './leases/tests.ts'

/**
 * Proves that tests which share one application and one key do not meet: one emulator, one application process, and many
 * workers with many tests each, in several runs. Exits with 1 where a test saw anything of another.
 *
 *     node scripts/build.ts && node scripts/leases.ts [--workers 8] [--tests 500] [--at-once 4] [--runs 20]
 */
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    workers: { type: 'string', default: '8' },
    tests: { type: 'string', default: '500' },
    runs: { type: 'string', default: '20' },
    'at-once': { type: 'string', default: '4' },
  },
})
const KEY = 'sk_sandbox_default'
const [role, url, ...more] = positionals
if (role === 'shop') await shop(url!)
else if (role === 'worker') await worker(url!, more[0]!, more[1]!)
else await main()

async function shop(baseUrl: string) {
  const { url } = await startShop(baseUrl, KEY)
  console.log(url)
}

async function worker(baseUrl: string, shop: string, name: string) {
  const sandbox = await connectSandbox({ url: baseUrl, apiKey: KEY })
  let next = 0
  let failed = 0
  const lane = async () => {
    while (next < Number(options.tests)) {
      const n = next++
      await runTest(n, { sandbox, shop, tag: `${name}.${n}` }).catch((error) => {
        failed++
        console.error(`${name}.${n}: ${error.message}`)
      })
    }
  }
  await Promise.all(Array.from({ length: Number(options['at-once']) }, lane))
  process.exitCode = failed === 0 ? 0 : 1
}

async function main() {
  const emulator = await startSandbox('--memory', '--clock', 'auto', '--no-rate-limit')
  const baseUrl = `http://127.0.0.1:${emulator.port}`
  const shop = spawnSelf('shop', baseUrl)
  try {
    const sandbox = await connectSandbox({ url: baseUrl, apiKey: KEY })
    const shopUrl = await firstLine(shop)
    let failed = 0
    for (let n = 1; n <= Number(options.runs); n++) {
      const from = performance.now()
      failed += await run(n, sandbox, shopUrl)
      console.log(`  ${Math.round((performance.now() - from) / 1000)} s, ${Math.round(emulator.memory() / 1e6)} MB`)
    }
    process.exitCode = failed === 0 ? 0 : 1
  } finally {
    shop.kill()
    await emulator.stop()
  }
}

/** Runs one suite with all workers. Returns how many failed or left something behind. */
async function run(n: number, sandbox: Sandbox, shop: string): Promise<number> {
  const { free } = await sandbox.client.billing.balance()
  if (free < 1_000) await sandbox.client.billing.topup({ amount: 3_000, currency: 'EUR' })
  const names = Array.from({ length: Number(options.workers) }, (_, i) => `run ${n} worker ${i + 1}`)
  const codes = await Promise.all(names.map((name) => ended(spawnSelf('worker', sandbox.url, shop, name))))
  const failed = codes.filter((code) => code !== 0).length
  const left = (await sandbox.client.leases.list()).leases.length
  console.log(`run ${n}: ${failed} of ${codes.length} workers failed, ${left} leases left`)
  return failed + left
}

function spawnSelf(...args: string[]): ChildProcess {
  const flags = ['--tests', options.tests, '--at-once', options['at-once']]
  return spawn(process.execPath, [fileURLToPath(import.meta.url), ...flags, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function firstLine(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) return line
  throw new Error('the shop has not started')
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once('exit', (code) => resolve(code)))
}
