import { useEffect, useState } from 'preact/hooks'
import { SECOND } from '../live/usePolling.ts'
import { describeKind, friendlyOf, interfacesOf, isAccount, mainKind, nameOf } from '../model/addressBook.ts'
import { hashToHex, shorten } from '../model/addresses.ts'
import { formatAge, formatTime, groupDigits } from '../model/format.ts'
import { Link } from '../route/Link.tsx'
import type { Route } from '../route/Route.ts'
import { CopyButton } from './basics.tsx'

const CELLS = 5

/** A small picture derived from an address. */
export const Identicon = ({ raw, size = 16 }: { readonly raw: string; readonly size?: number }) => {
  const hash = raw.slice(raw.indexOf(':') + 1)
  const bytes = hash.match(/../g)?.map((pair) => Number.parseInt(pair, 16)) ?? []
  const hue = Math.round((((bytes[0] ?? 0) * 256 + (bytes[1] ?? 0)) / 65_536) * 360)
  const squares: string[] = []
  // Mirrored.
  for (let index = 0; index < 15; index++) {
    if (((bytes[2 + index] ?? 0) & 1) === 0) continue
    const [column, row] = [index % 3, Math.floor(index / 3)]
    squares.push(square(column, row))
    if (column < 2) squares.push(square(CELLS - 1 - column, row))
  }
  return (
    <svg class="identicon" width={size} height={size} viewBox="-1 -1 7 7" aria-hidden="true">
      <rect class="identicon-ground" x="-1" y="-1" width="7" height="7" rx="1.6" fill={`hsl(${hue} 60% 50%)`} />
      <path d={squares.join('')} fill={`hsl(${hue} 52% 48%)`} />
    </svg>
  )
}

const square = (column: number, row: number): string => `M${column} ${row}h1v1h-1z`

type AddressProps = {
  readonly raw: string
  readonly hasCopy?: boolean
  readonly hasKind?: boolean
  /** The account of the page, which is not linked. */
  readonly self?: string | undefined
}

/** A short link to an account. */
export const AddressLink = ({ raw, hasCopy = false, hasKind = false, self }: AddressProps) => {
  if (!isAccount(raw)) return <span class="mono muted">{shorten(raw, 10, 6)}</span>
  const friendly = friendlyOf(raw)
  const name = nameOf(raw)
  const kind = hasKind ? mainKind(interfacesOf(raw)) : undefined
  const text = name ?? shorten(friendly, 5, 5)
  return (
    <span class="address">
      <Identicon raw={raw} />
      {raw === self ? (
        <span class="muted">this account</span>
      ) : (
        <Link to={{ page: 'account', address: friendly }} class={name === undefined ? 'mono' : ''} title={friendly}>
          {text}
        </Link>
      )}
      {kind !== undefined && <span class="kind">{describeKind(kind)}</span>}
      {hasCopy && <CopyButton text={friendly} what="address" />}
    </span>
  )
}

type HashProps = {
  readonly hash: string
  readonly what: string
  readonly to?: Route
  readonly isWhole?: boolean
  readonly hasCopy?: boolean
}

/** A hash in hex, shortened unless `whole`. */
export const Hash = ({ hash, what, to, isWhole = false, hasCopy = true }: HashProps) => {
  const hex = hashToHex(hash)
  const shown = isWhole ? hex : shorten(hex)
  const text = (
    <span class={isWhole ? 'mono whole' : 'mono'} title={isWhole ? undefined : hex}>
      {shown}
    </span>
  )
  return (
    <span class="with-copy">
      {to === undefined ? text : <Link to={to}>{text}</Link>}
      {hasCopy && <CopyButton text={hex} what={what} />}
    </span>
  )
}

export type BlockName = { readonly workchain: number; readonly shard: string; readonly seqno: number }

export const BlockLink = ({ id: { workchain, shard, seqno } }: { readonly id: BlockName }) => (
  <Link to={{ page: 'block', workchain, shard, seqno }} title={`(${workchain},${shard},${seqno})`}>
    {groupDigits(seqno)} <span class="muted">{workchain === -1 ? 'master' : `${workchain}:${shard}`}</span>
  </Link>
)

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** The current time, updated every second. */
const useNow = (): number => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const update = (): void => setNow(Date.now())
    listeners.add(update)
    timer ??= setInterval(() => {
      if (!document.hidden) for (const listener of listeners) listener()
    }, SECOND)
    return () => {
      listeners.delete(update)
      if (listeners.size > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }, [])
  return now
}

/** A time with its zone, and how long ago it was. */
export const When = ({ utime }: { readonly utime: number }) => (
  <time dateTime={new Date(1000 * utime).toISOString()}>
    {formatTime(utime)} <span class="muted">({formatAge(utime, useNow())})</span>
  </time>
)

export const TimeAgo = ({ utime }: { readonly utime: number }) => (
  <time class="time" dateTime={new Date(1000 * utime).toISOString()} title={formatTime(utime)}>
    {formatAge(utime, useNow())}
  </time>
)
