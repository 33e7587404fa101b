// As the chain itself numbers them.
const STATUSES = ['uninit', 'frozen', 'active', 'nonexist'] as const

export type AccountStatusName = (typeof STATUSES)[number]

/** The number of an account's status in columns. */
export const accountStatusCode = (status: AccountStatusName): number => STATUSES.indexOf(status)

/** The status behind a number; `undefined` for what was never written. */
export const findAccountStatus = (code: number): AccountStatusName | undefined => STATUSES[code]
