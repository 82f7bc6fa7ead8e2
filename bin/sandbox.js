#!/usr/bin/env node
// Older Nodes must be able to read this file: no top-level await, no ?. and ??, no node: imports.
import module from 'module'

// Required and not imported: an import evaluates all that a module of Node exports, which costs milliseconds.
var require = module.createRequire(import.meta.url)
var fs = require('fs')
var os = require('os')
var path = require('path')
var url = require('url')

// better-sqlite3 13 crashes where Node-API is older than 10, which is so before 22.14 and in the first releases of 23.
var NEEDED_NAPI = 10
var NEEDED = '22.22'
var RERUN = 'SANDBOX_PINNED_NODE'
var here = path.dirname(url.fileURLToPath(import.meta.url))

if (Number(process.versions.napi) >= NEEDED_NAPI && Number(process.versions.node.split('.')[0]) >= 22) runHere()
else runWithPinnedNode()

function runHere() {
  var argv = process.argv.slice(2)
  var dist = path.join(here, '..', 'dist')
  var loader = path.join(dist, 'load.cjs')
  var sources = path.join(here, '..', 'src', 'cli', 'main.ts')
  try {
    if (fs.existsSync(loader)) {
      // The version and the first page of help need none of the commands, which take twice as long to load.
      if (argv.length === 1 && require(path.join(dist, 'at-once.cjs')).answerAtOnce(argv)) return
      require(loader).commandLine(argv).runProcess(argv).catch(failed)
    } else import(url.pathToFileURL(sources).href).catch(failed)
  } catch (error) {
    failed(error)
  }
}

// Names the missing file. Any other error is a bug, so its stack is shown.
function failed(error) {
  var code = error && error.code
  var isOfPackage = code === 'ENOENT' && String(error.path).indexOf(path.join(here, '..', 'dist')) === 0
  if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND' || isOfPackage) {
    process.stderr.write('sandbox: the installation is incomplete. Run "npm ci" again. ' + error.message + '\n')
    process.exit(3)
  }
  if (code === 'ERR_ACCESS_DENIED') {
    process.stderr.write('sandbox: the options of Node do not permit to start. ' + error.message + '\n')
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
  // Hints use the name under which the program was called.
  env[RERUN] = process.argv[1]
  var child = require('child_process').spawn(
    pinned,
    [url.fileURLToPath(import.meta.url)].concat(process.argv.slice(2)),
    {
      stdio: 'inherit',
      env: env,
    },
  )
  // A console of Windows gives Ctrl-C to both by itself, and kill() there would end the child at once.
  var forward = function (signal) {
    if (process.platform !== 'win32') child.kill(signal)
  }
  process.on('SIGINT', forward)
  process.on('SIGTERM', forward)
  process.on('SIGHUP', forward)
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
      NEEDED +
      ' or newer is needed. ' +
      'Get it from https://nodejs.org (or "nvm install 24"), or run "npm ci" in a checkout, which brings its own.\n',
  )
  process.exit(3)
}
