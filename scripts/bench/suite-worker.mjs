import { createSandbox } from '../../dist/index.js'

/** A worker of a suite: tests with a namespace, a clock and a receiver each. Prints the share of its CPU that these take. */
const TESTS = Number(process.argv[2])
/** The first tests warm up and load lazy modules, which other rows measure. */
const WARM_UP = 30
const host = await createSandbox()

const cpuMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Reading the CPU time costs up to a tenth of the measured figure, so it is subtracted. */
function costOfAsking() {
  const from = cpuMs()
  for (let i = 0; i < 200; i++) cpuMs()
  return (cpuMs() - from) / 200
}

async function body(sandbox, receiver) {
  await sandbox.client.messages.send({
    agent_id: 'ag_live_00000000-0000-4000-8000-000000000001',
    to: '+491713920000',
    message_type: 'MESSAGE',
    traffic_type: 'TRANSACTION',
    content: { text: 'Your order is on its way' },
  })
  await sandbox.clock.advance('1m')
  if (receiver.events.length < 3) throw new Error('the receiver has heard too little')
}

/** Measures the CPU time of a test's set-up and tear-down, ms. */
async function shareOf(n) {
  const from = cpuMs()
  const sandbox = host.namespace(`test-${n}`)
  const receiver = await sandbox.receiver()
  const started = cpuMs()
  await body(sandbox, receiver)
  const done = cpuMs()
  await receiver.stop()
  await sandbox.stop()
  return started - from + cpuMs() - done
}

await shareOf('warm-up')
const before = process.memoryUsage().rss
let all = 0
for (let n = 0; n < TESTS; n++) {
  const share = await shareOf(n)
  if (n >= WARM_UP) all += share
}
const { rss } = process.memoryUsage()
console.log(JSON.stringify({ share: all / (TESTS - WARM_UP) - 2 * costOfAsking(), memory: rss, before }))
process.exit()
