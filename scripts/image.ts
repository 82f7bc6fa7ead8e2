import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pack } from './pack.ts'
import { answerOf, type Sandbox } from './smoke/command.ts'

/**
 * Builds the image of fixtures/ci/Dockerfile.npm from the packed package, checks its size, and runs it. Needs root,
 * the Debian packages buildah and mmdebstrap, and the npm registry. It needs no registry of images: a minimal Debian
 * with Node and npm from npm replaces node:24-slim.
 */
const BUDGET_MB = 120
const BASE = 'docker.io/library/node:24-slim'
const IMAGE = 'localhost/messaging-sandbox'
const DEBIAN = 'http://deb.debian.org/debian'
const TOKEN = 'only-for-this-script'
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'

/** A proxy may sign what the npm registry answers, so npm trusts the certificates of this machine. */
const BASE_FILE = `FROM scratch
ADD debian.tar /
COPY node_modules/node/bin/node /usr/local/bin/node
COPY node_modules/npm /usr/local/lib/node_modules/npm
COPY ca.crt ${CERTIFICATES}
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && useradd --uid 1000 --create-home node \\
  && mkdir -p /usr/local/etc && echo cafile=${CERTIFICATES} > /usr/local/etc/npmrc
`

interface Image {
  layers: { size: number }[]
  config: {
    User: string
    WorkingDir: string
    Env: string[]
    Entrypoint: string[]
    Cmd: string[]
    Healthcheck: { Test: string[] }
  }
}

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const top = mkdtempSync(join(tmpdir(), 'sandbox-image-'))
try {
  buildBase()
  const image = buildImage()
  const sizeMb = sizeInMb(image) - sizeInMb(inspect(BASE))
  console.log(`image: ${sizeMb.toFixed(1)} MB over its base`)
  assert.ok(sizeMb <= BUDGET_MB, `The image is larger than its budget of ${BUDGET_MB} MB over its base.`)
  const root = buildah('mount', buildah('from', '--pull-never', IMAGE))
  const message = await inContainer(root, image, async (sandbox) => {
    const { message_id } = (await answerOf(sandbox, 'send', '+491713920001', '--text', 'Hi')) as { message_id: string }
    await answerOf(sandbox, 'messages', 'watch', message_id, '--until', 'delivered')
    await answerOf(sandbox, 'report', '/tmp/report')
    const withoutToken = { ...sandbox, env: { ...sandbox.env, SANDBOX_CONTROL_TOKEN: '' } }
    await assert.rejects(answerOf(withoutToken, 'clock', 'show'), /control_token_required/)
    assert.match(readFileSync(join(root, 'tmp/report/sandbox.html'), 'utf8'), new RegExp(message_id))
    return message_id
  })
  await inContainer(root, image, async (sandbox) => {
    assert.match(JSON.stringify(await answerOf(sandbox, 'messages', 'list')), new RegExp(message))
  })
  console.log('image: healthy, runs a story as process 1 of its user, ends on SIGTERM and keeps its data')
} finally {
  rmSync(top, { recursive: true, force: true })
}

function run(program: string, ...args: string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()
}

function buildah(...args: string[]): string {
  return run(
    'buildah',
    '--root',
    join(top, 'images'),
    '--runroot',
    join(top, 'run'),
    '--storage-driver',
    'vfs',
    ...args,
  )
}

/** The format of Docker has a health check, that of OCI has none. */
function build(tag: string, file: string, context: string) {
  buildah('bud', '--isolation=chroot', '--pull-never', '--format=docker', '--quiet', '-t', tag, '-f', file, context)
}

function buildBase() {
  const context = join(top, 'base')
  mkdirSync(context)
  run('mmdebstrap', '--quiet', '--variant=minbase', 'trixie', join(context, 'debian.tar'), DEBIAN)
  run('npm', 'install', '--prefix', context, '--no-audit', '--no-fund', '--silent', 'node@24', 'npm@11')
  copyFileSync(CERTIFICATES, join(context, 'ca.crt'))
  writeFileSync(join(context, 'Dockerfile'), BASE_FILE)
  build(BASE, join(context, 'Dockerfile'), context)
}

function buildImage(): Image {
  const context = join(top, 'image')
  mkdirSync(context)
  run(process.execPath, 'scripts/build.ts')
  pack(context)
  copyFileSync('fixtures/ci/Dockerfile.npm', join(context, 'Dockerfile.npm'))
  build(IMAGE, join(context, 'Dockerfile.npm'), context)
  return inspect(IMAGE)
}

function inspect(name: string): Image {
  const { Docker, Manifest } = JSON.parse(buildah('inspect', '--type=image', name)) as {
    Docker: Pick<Image, 'config'>
    Manifest: string
  }
  return { config: Docker.config, layers: (JSON.parse(Manifest) as Pick<Image, 'layers'>).layers }
}

function sizeInMb({ layers }: Image): number {
  return layers.reduce((sum, { size }) => sum + size, 0) / 1e6
}

/**
 * Starts the entry point as a container does: process 1 in namespaces of its own, as the user of the image. buildah's
 * own containers need cgroups and limits that a container around this one may not have.
 */
async function inContainer<T>(root: string, { config }: Image, use: (sandbox: Sandbox) => Promise<T>): Promise<T> {
  const { User: user, WorkingDir: home, Entrypoint: entrypoint } = config
  const variables = Object.fromEntries(config.Env.map((it) => it.split('=') as [string, string]))
  const env = { ...variables, PATH: `${variables.PATH}:${process.env.PATH}`, HOME: home, SANDBOX_CONTROL_TOKEN: TOKEN }
  const asUser = ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--', ...entrypoint]
  const begin = ['--net', '--pid', '--fork', '--kill-child', '--mount', `--root=${root}`, `--wd=${home}`]
  const mounted = ['sh', '-c', 'mount -t proc proc /proc && exec "$@"', 'sh', ...asUser, ...config.Cmd]
  const container = spawn('unshare', [...begin, ...mounted], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(container, 'exit')
  try {
    // The first line of the sandbox: process 1 exists.
    await Promise.race([once(container.stdout, 'data'), ended])
    const first = readFileSync(`/proc/${container.pid}/task/${container.pid}/children`, 'utf8').trim()
    run('nsenter', '--target', first, '--net', 'ip', 'link', 'set', 'lo', 'up')
    const enter = ['--target', first, '--all', '--root', `--wdns=${home}`, ...asUser]
    const sandbox: Sandbox = { words: ['nsenter', ...enter], env, cwd: top }
    const [, , ...healthcheck] = config.Healthcheck.Test
    await answerOf(sandbox, ...healthcheck)
    const result = await use(sandbox)
    process.kill(Number(first), 'SIGTERM')
    assert.deepEqual(await ended, [0, null])
    return result
  } finally {
    container.kill('SIGKILL')
  }
}
