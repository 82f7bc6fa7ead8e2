import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Lists the obstacles to a release of this tree as a version, one sentence each. */
export function obstacles(version: string): string[] {
  const changed = git('status', '--porcelain')
  const heading = headingOf(version)
  return [
    changed && `The tree is not clean: ${changed.split('\n').length} files differ from the last commit.`,
    git('tag', '--list', `v${version}`) && `The tag v${version} already exists: raise the version in package.json.`,
    !heading && `CHANGELOG.md has no entry "## [${version}] - <date>": rename "## [Unreleased]".`,
    heading && !entryOf(heading) && `The entry of ${version} in CHANGELOG.md is empty.`,
    isPublished(version) && `The registry has messaging-sandbox ${version} already.`,
  ].filter((obstacle) => typeof obstacle === 'string' && obstacle !== '') as string[]
}

const changelog = () => readFileSync('CHANGELOG.md', 'utf8')

const headingOf = (version: string) =>
  changelog()
    .split('\n')
    .find((line) => line.startsWith(`## [${version}] - `))

function entryOf(heading: string): string {
  const text = changelog()
  return text
    .slice(text.indexOf(heading) + heading.length)
    .split(/^## /m)[0]!
    .trim()
}

/** An unreachable registry counts as no; publishing will report it. */
function isPublished(version: string): boolean {
  try {
    const view = ['view', `messaging-sandbox@${version}`, 'version', '--silent']
    return execFileSync('npm', view, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim() === version
  } catch {
    return false
  }
}

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()
