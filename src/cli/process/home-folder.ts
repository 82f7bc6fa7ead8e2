import { homedir } from 'node:os'

/** The user's home folder; undefined for a user unknown to the system, as in many containers. */
export function homeFolder(): string | undefined {
  try {
    return homedir()
  } catch {
    return undefined
  }
}
