import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { ReadStream } from 'node:tty'

/** Calls back with each key pressed, as text; the returned function ends it. */
export type Keys = (pressed: (key: string) => void) => () => void

const CTRL_C = '\u0003'
const CTRL_Z = '\u001a'
const ESCAPE = 0x1b

/** Key presses in raw mode, where Ctrl-C and Ctrl-Z have no effect of their own and are carried out here. */
export const keysOf =
  (stdin: ReadStream): Keys =>
  (pressed) => {
    // The terminal must be restored however the process ends.
    const restore = () => {
      if (stdin.isRaw) stdin.setRawMode(false)
    }
    const onData = (chunk: Buffer) => {
      // An arrow or function key arrives as one sequence, which no command uses.
      const keys = chunk[0] === ESCAPE && chunk.length > 1 ? [] : [...chunk.toString()]
      for (const key of keys) {
        if (key === CTRL_C) process.kill(process.pid, 'SIGINT')
        else if (key === CTRL_Z) {
          restore()
          process.kill(process.pid, 'SIGTSTP')
        } else pressed(key)
      }
    }
    // A shell may bring the process to the foreground later.
    const enter = () => {
      if (!isInForeground()) return
      stdin.setRawMode(true)
      if (!stdin.listeners('data').includes(onData)) stdin.on('data', onData)
    }
    enter()
    process.on('SIGCONT', enter)
    process.on('exit', restore)
    return () => {
      stdin.off('data', onData)
      process.off('SIGCONT', enter)
      process.off('exit', restore)
      restore()
      stdin.pause()
    }
  }

/** The system stops a background process that changes the terminal's mode or reads from it. */
function isInForeground(): boolean {
  if (process.platform === 'win32') return true
  try {
    const [group, ofTerminal] = process.platform === 'linux' ? groupsFromProc() : groupsFromPs()
    return group === ofTerminal
  } catch {
    return false
  }
}

/**
 * The fields after the name, which may itself hold blanks and brackets: state, parent, group, session, terminal,
 * foreground group.
 */
function groupsFromProc(): (string | undefined)[] {
  const [, , group, , , ofTerminal] = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return [group, ofTerminal]
}

const groupsFromPs = (): (string | undefined)[] =>
  execFileSync('ps', ['-o', 'pgid=,tpgid=', '-p', String(process.pid)], { encoding: 'utf8' })
    .trim()
    .split(/\s+/)
