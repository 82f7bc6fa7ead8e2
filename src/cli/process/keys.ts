import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { ReadStream } from 'node:tty'

/** Calls back with each key that is pressed, as text; the returned function ends it. */
export type Keys = (pressed: (key: string) => void) => () => void

const CTRL_C = '\u0003'
const CTRL_Z = '\u001a'
const ESCAPE = 0x1b

/** The keys of a terminal as they are pressed. What a terminal does with Ctrl-C and Ctrl-Z by itself is done here instead. */
export const keysOf =
  (stdin: ReadStream): Keys =>
  (pressed) => {
    // However the process ends, the terminal is left as it was.
    const leave = () => {
      if (stdin.isRaw) stdin.setRawMode(false)
    }
    const heard = (chunk: Buffer) => {
      // An arrow or another key with a name comes as one piece, and means nothing here.
      const keys = chunk[0] === ESCAPE && chunk.length > 1 ? [] : [...chunk.toString()]
      for (const key of keys) {
        if (key === CTRL_C) process.kill(process.pid, 'SIGINT')
        else if (key === CTRL_Z) {
          leave()
          process.kill(process.pid, 'SIGTSTP')
        } else pressed(key)
      }
    }
    // A shell may put it there later.
    const enter = () => {
      if (!isInForeground()) return
      stdin.setRawMode(true)
      if (!stdin.listeners('data').includes(heard)) stdin.on('data', heard)
    }
    enter()
    process.on('SIGCONT', enter)
    process.on('exit', leave)
    return () => {
      stdin.off('data', heard)
      process.off('SIGCONT', enter)
      process.off('exit', leave)
      leave()
      stdin.pause()
    }
  }

/** A system stops a process in the background that sets the terminal of the one before it, or reads from it. */
function isInForeground(): boolean {
  if (process.platform === 'win32') return true
  try {
    const [group, ofTerminal] = process.platform === 'linux' ? groupsFromProc() : groupsFromPs()
    return group === ofTerminal
  } catch {
    return false
  }
}

/** After the name, which may hold anything: state, parent, group, session, terminal, group in the foreground. */
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
