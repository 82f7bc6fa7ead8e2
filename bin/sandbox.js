#!/usr/bin/env node
// Older Nodes must be able to read this file: no top-level await, no ?. and ??, no node: imports.
import childProcess from 'child_process'
import fs from 'fs'
import module from 'module'
import os from 'os'
import path from 'path'
import url from 'url'

// What the dependencies demand: better-sqlite3 13 crashes on Node 20, the prompts need 22.13.
var NEEDED = [22, 13]
var RERUN = 'SANDBOX_PINNED_NODE'
var here = path.dirname(url.fileURLToPath(import.meta.url))

if (isGoodNode(process.versions.node)) runHere()
else runWithPinnedNode()

function isGoodNode(version) {
  var parts = version.split('.').map(Number)
  return parts[0] > NEEDED[0] || (parts[0] === NEEDED[0] && parts[1] >= NEEDED[1])
}

function runHere() {
  if (module.enableCompileCache) module.enableCompileCache(cacheFolder())
  var bundle = path.join(here, '..', 'dist', 'cli.js')
  var entry = fs.existsSync(bundle) ? bundle : path.join(here, '..', 'src', 'cli', 'main.ts')
  import(url.pathToFileURL(entry).href).catch(incomplete)
}

// A folder of the user's own: compiled code must not be read from where others can write.
function cacheFolder() {
  var home = os.homedir()
  var caches =
    process.platform === 'win32'
      ? process.env.LOCALAPPDATA || path.join(home, 'AppData', 'Local')
      : process.platform === 'darwin'
        ? path.join(home, 'Library', 'Caches')
        : process.env.XDG_CACHE_HOME || path.join(home, '.cache')
  return path.join(caches, 'messaging-sandbox', 'compiled')
}

// Names what is not there; anything else is a bug, and its stack is wanted.
function incomplete(error) {
  if (error && error.code === 'ERR_MODULE_NOT_FOUND') {
    process.stderr.write('sandbox: the installation is incomplete. Run "npm ci" again. ' + error.message + '\n')
    process.exit(3)
  }
  process.stderr.write(
    'sandbox: a bug at start. Please report it with these lines.\n' + ((error && error.stack) || error) + '\n',
  )
  process.exit(1)
}

function runWithPinnedNode() {
  var pinned = path.join(here, '..', 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (process.env[RERUN] || !fs.existsSync(pinned)) return tooOld()
  var env = Object.assign({}, process.env)
  env[RERUN] = '1'
  var child = childProcess.spawn(pinned, [url.fileURLToPath(import.meta.url)].concat(process.argv.slice(2)), {
    stdio: 'inherit',
    env: env,
  })
  // A console of Windows gives Ctrl-C to both by itself, and kill() there would end the child at once.
  var forward = function (signal) {
    if (process.platform !== 'win32') child.kill(signal)
  }
  process.on('SIGINT', forward)
  process.on('SIGTERM', forward)
  child.on('error', tooOld)
  child.on('exit', function (code, signal) {
    process.exit(code === null ? 128 + (os.constants.signals[signal] || 0) : code)
  })
}

function tooOld() {
  process.stderr.write(
    'sandbox: this is Node ' +
      process.versions.node +
      ', but ' +
      NEEDED.join('.') +
      ' or newer is needed. ' +
      'Get it from https://nodejs.org (or "nvm install 24"), or run "npm ci" in a checkout, which brings its own.\n',
  )
  process.exit(3)
}
