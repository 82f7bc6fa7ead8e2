/** One thing in a message that its readers may see otherwise than it was meant. */
export interface LintFinding {
  /** Stable name of the rule, such as `email/alt-text`. */
  rule: string
  level: 'error' | 'warning'
  /** What is wrong, with the value, and what to do. */
  message: string
  /** Where the rule comes from. */
  source: string
}

/** A message as it is linted. */
export interface LintMessage {
  subject?: string | null | undefined
  message_type?: string | null | undefined
  /** Headers of an email, where the file has them. */
  headers?: Readonly<Record<string, string>> | undefined
  content: LintContent
}

interface LintContent {
  subject?: string | undefined
  text?: string | undefined
  html?: string | undefined
  suggestions?: unknown
  rich_card?: unknown
}
