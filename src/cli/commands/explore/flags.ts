export interface ExploreFlags {
  handler: URL
  truth: string
  secret?: string
  start?: string
  reset?: string
  restart?: string
  rotate?: string
  flows?: string[]
  events?: string[]
  schedules?: number
  seed?: string
  scenario?: string[]
  save?: string
  saveTest?: string
  junit?: string
  force?: boolean
  timeout: number
  settle: number
  /** Machine time in ms. */
  idle: number
  timeLimit: number
  header?: Record<string, string>
  world: string
  port?: number
  live?: boolean
}
