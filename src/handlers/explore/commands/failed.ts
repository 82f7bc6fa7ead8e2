/** A command of the application could not be used; its user can remove the cause. */
export class CommandFailed extends Error {
  readonly code: 'port_in_use' | 'not_started' | 'command_failed'
  /** One line, or the last lines of stderr. */
  readonly hint: string | undefined

  constructor(code: CommandFailed['code'], message: string, hint?: string) {
    super(message)
    this.name = 'CommandFailed'
    this.code = code
    this.hint = hint || undefined
  }
}
