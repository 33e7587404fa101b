import { formatRate } from '../../primitives/Rate.ts'
import { type ApiKey, isLive } from '../../store/keys/apiKeys.ts'
import type { UsageSum } from '../../store/keys/keyUsage.ts'

/** Keys, one a line. */
export const formatKeys = (keys: readonly ApiKey[], now: number): string => {
  if (keys.length === 0) return 'There are no keys. Make one with: chaincenter keys create'
  return table([
    ['KEY', 'PLAN', 'OWNER', 'MADE', 'STATE', 'NOTE'],
    ...keys.map((key) => [
      key.id,
      key.rate === undefined ? key.plan : `${key.plan} ${formatRate(key.rate)}`,
      key.owner === key.id ? (key.isSelfMade ? 'a visitor' : '-') : key.owner,
      dayText(key.createdAt),
      describeState(key, now),
      key.note ?? '',
    ]),
  ])
}

const describeState = (key: ApiKey, now: number): string => {
  if (key.revokedAt !== undefined) return `revoked ${dayText(key.revokedAt)}`
  if (!isLive(key, now)) return `replaced by ${key.replacedBy ?? 'another'}`
  return key.expiresAt === undefined ? 'works' : `works until ${key.expiresAt.toISOString().slice(0, 16)}Z`
}

/** What was asked, most first. */
export const formatUsage = (sums: readonly UsageSum[], days: number): string => {
  if (sums.length === 0) return `No key asked anything in the last ${days} days.`
  return table([
    ['KEY', 'ENDPOINT', 'REQUESTS', 'OVER LIMIT', 'FAILED'],
    ...sums.map(({ keyId, endpoint, requests, refused, failed }) => [
      keyId,
      endpoint,
      String(requests),
      String(refused),
      String(failed),
    ]),
  ])
}

const dayText = (date: Date): string => date.toISOString().slice(0, 10)

const table = (rows: readonly (readonly string[])[]): string => {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
