export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

export type LogLine = {
  readonly time: Date
  readonly level: LogLevel
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}
