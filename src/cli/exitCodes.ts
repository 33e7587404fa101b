import { INTERRUPTED } from '../observe/closeOnSignals.ts'

/** What the process tells its caller. */
export const exitCodes = {
  ok: { code: 0, about: 'It did what was asked, or was stopped and closed cleanly.' },
  failed: { code: 1, about: 'It failed for a reason that it named.' },
  usage: { code: 2, about: 'The command line, the environment or the configuration file is wrong.' },
  internal: { code: 70, about: 'It failed for a reason nobody foresaw: a bug.' },
  interrupted: { code: INTERRUPTED, about: 'A second Ctrl-C ended it before it had closed everything.' },
} as const
