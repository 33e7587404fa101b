import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Pages } from '../live/usePolling.ts'
import { friendlyOf } from '../model/addressBook.ts'
import { findRawAddress, hashToHex } from '../model/addresses.ts'
import { formatTime } from '../model/format.ts'
import {
  Badge,
  Card,
  CopyButton,
  Empty,
  Failure,
  type IconName,
  Loading,
  LoadMore,
  Monogram,
  type Tab,
  Tabs,
} from '../parts/basics.tsx'
import { AddressLink, TimeAgo } from '../parts/links.tsx'
import { Link, useQuery } from '../route/Link.tsx'

type PictureProps = {
  readonly raw: string
  /** What the letters are taken from where there is no picture. */
  readonly name: string
  readonly url: string | undefined
  readonly class?: string
}

/** The picture of a token; letters where it has none, or where it cannot be shown. */
export const Picture = ({ raw, name, url, class: className = '' }: PictureProps) => {
  const [broken, setBroken] = useState<string>()
  const isShown = url !== undefined && url !== broken
  return (
    <span class={`picture ${className}`}>
      {isShown ? (
        <img src={url} alt="" loading="lazy" decoding="async" onError={() => setBroken(url)} />
      ) : (
        <Monogram raw={raw} text={name} />
      )}
    </span>
  )
}

type HeadProps = {
  readonly raw: string
  readonly kind: string
  readonly title: ComponentChildren
  readonly name: string
  readonly url: string | undefined
  /** Where the page shows it larger. */
  readonly hasPicture?: boolean
  readonly description?: string | undefined
  readonly badges?: ComponentChildren
}

/** Name, picture and address of a token or another contract with a page of its own. */
export const EntityHead = ({ raw, kind, title, name, url, hasPicture = true, description, badges }: HeadProps) => (
  <header class="entity-head">
    {hasPicture && <Picture raw={raw} name={name} url={url} class="is-large" />}
    <div class="entity-names">
      <h1>
        {title} <Badge tone="accent">{kind}</Badge>
        {badges}
      </h1>
      {description !== undefined && description !== '' && <p class="entity-description">{description}</p>}
      <p class="page-id">
        <span class="with-copy">
          <Link to={{ page: 'account', address: friendlyOf(raw) }} class="mono whole" title="The contract">
            {friendlyOf(raw)}
          </Link>
          <CopyButton text={friendlyOf(raw)} what="address" />
        </span>
      </p>
    </div>
  </header>
)

export type Stat = readonly [title: string, value: ComponentChildren, detail?: ComponentChildren]

/** The numbers that say most, side by side. */
export const Stats = ({ stats }: { readonly stats: readonly (Stat | undefined | false)[] }) => (
  <dl class="stats">
    {stats.map((stat) =>
      stat === undefined || stat === false ? null : (
        <div key={stat[0]}>
          <dt>{stat[0]}</dt>
          <dd>{stat[1]}</dd>
          {stat[2] !== undefined && <dd class="stats-detail">{stat[2]}</dd>}
        </div>
      ),
    )}
  </dl>
)

/** A page for an address that may be none. */
export const ForAddress = ({
  text,
  children,
}: {
  readonly text: string
  readonly children: (raw: string) => ComponentChildren
}) => {
  const raw = findRawAddress(text)
  return raw === undefined ? <Failure error={new Error(`${text} is not a valid address.`)} /> : children(raw)
}

type ViewsProps<K extends string> = {
  readonly label: string
  readonly tabs: readonly Tab<K>[]
  readonly children: (current: K) => ComponentChildren
}

/** Tabs whose choice is in the address of the page, so that a link leads to it. */
export const Views = <K extends string>({ label, tabs, children }: ViewsProps<K>) => {
  const [query, setQuery] = useQuery()
  const [first] = tabs
  const current = tabs.find(({ key }) => key === query.get('tab'))?.key ?? first!.key
  return (
    <>
      <Tabs
        label={label}
        tabs={tabs}
        current={current}
        onChange={(tab) => setQuery({ tab: tab === first!.key ? undefined : tab })}
      />
      <div role="tabpanel">{children(current)}</div>
    </>
  )
}

type TransferProps = {
  readonly title: string
  readonly trace: string
  readonly from: string
  readonly to: string
  readonly utime: number
  readonly hasFailed: boolean
  readonly note?: string | undefined
  /** What was transferred. */
  readonly children: ComponentChildren
}

/** A transfer of a token in one line. */
export const TransferRow = ({ title, trace, from, to, utime, hasFailed, note, children }: TransferProps) => (
  <li class={`action ${hasFailed ? 'is-failed' : ''}`}>
    <span class="action-title">
      <Link to={{ page: 'trace', hash: hashToHex(trace) }}>{title}</Link>
      {hasFailed && <Badge tone="bad">failed</Badge>}
    </span>
    <span class="action-parties">
      <AddressLink raw={from} />
      <span class="arrow">→</span>
      <AddressLink raw={to} />
      {note !== undefined && <span class="action-note">{note}</span>}
    </span>
    <span class="action-amounts">{children}</span>
    <span class="action-time">
      <TimeAgo utime={utime} />
    </span>
  </li>
)

/** The comment of a decoded payload. */
export const noteOf = (decoded: unknown): string | undefined => {
  if (typeof decoded !== 'object' || decoded === null || !('comment' in decoded)) return undefined
  return typeof decoded.comment === 'string' && decoded.comment !== '' ? `“${decoded.comment}”` : undefined
}

/** A moment that may lie far away: the day, and how far. */
export const Moment = ({ utime }: { readonly utime: number }) => (
  <span class="moment">
    {formatTime(utime).slice(0, 16)} <TimeAgo utime={utime} />
  </span>
)

type ShareProps = { readonly part: bigint; readonly whole: bigint; readonly label: string }

/** A share as a bar and a percentage. */
export const Share = ({ part, whole, label }: ShareProps) => {
  const share = whole <= 0n ? 0 : Number((part * 1_000_000n) / whole) / 10_000
  const text = share > 0 && share < 0.01 ? '< 0.01 %' : `${share.toFixed(share < 10 ? 2 : 1)} %`
  return (
    <span class="share">
      <meter class="share-bar" min={0} max={100} value={share} aria-label={label} />
      <span class="share-text">{text}</span>
    </span>
  )
}

type PagedProps<T> = {
  readonly pages: Pages<T>
  readonly empty: string
  readonly icon: IconName
  readonly children: (rows: readonly T[]) => ComponentChildren
}

/** A list that goes on: its rows, or why there are none. */
export const Paged = <T,>({ pages, empty, icon, children }: PagedProps<T>) => (
  <Card>
    {pages.error !== undefined && <Failure error={pages.error} />}
    {pages.rows === undefined && pages.error === undefined && <Loading lines={6} />}
    {pages.rows?.length === 0 && <Empty icon={icon}>{empty}</Empty>}
    {pages.rows !== undefined && pages.rows.length > 0 && children(pages.rows)}
    <LoadMore pages={pages} />
  </Card>
)
