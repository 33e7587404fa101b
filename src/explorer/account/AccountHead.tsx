import { useState } from 'preact/hooks'
import { describeKind, friendlyOf, nameOf } from '../model/addressBook.ts'
import { Amount } from '../parts/Amount.tsx'
import { Badge, CopyButton, Icon, lazy, type Tone } from '../parts/basics.tsx'
import { Identicon } from '../parts/links.tsx'
import { findEntityLink } from '../route/entityRoute.ts'
import { Link } from '../route/Link.tsx'
import { setup } from '../setup.ts'

type HeadProps = {
  readonly raw: string
  readonly balance: string
  readonly status: string
  readonly interfaces: readonly string[]
}

const QrDialog = lazy(async () => (await import('./QrDialog.tsx')).QrDialog)

const tones: { readonly [status: string]: Tone } = { active: 'good', frozen: 'warn' }
const words: { readonly [status: string]: string } = {
  uninit: 'without code',
  uninitialized: 'without code',
  nonexist: 'does not exist',
}

export const AccountHead = ({ raw, balance, status, interfaces }: HeadProps) => {
  const friendly = friendlyOf(raw)
  const name = nameOf(raw)
  const [isQrShown, showQr] = useState(false)
  const entity = findEntityLink(raw, interfaces)
  return (
    <header class="account-head">
      <Identicon raw={raw} size={52} />
      <div class="account-names">
        <h1>
          {name ?? 'Account'} <Badge tone={tones[status] ?? 'plain'}>{words[status] ?? status}</Badge>
          {interfaces.map((kind) => (
            <Badge key={kind} tone="accent">
              {describeKind(kind)}
            </Badge>
          ))}
        </h1>
        <p class="page-id">
          <span class="with-copy">
            <span class="mono whole">{friendly}</span>
            <CopyButton text={friendly} what="address" />
            <button type="button" class="copy" aria-label="QR code" title="QR code" onClick={() => showQr(true)}>
              <Icon name="qr" size={13} />
            </button>
          </span>
        </p>
        {isQrShown && <QrDialog address={friendly} onClose={() => showQr(false)} />}
      </div>
      <div class="account-balance">
        <Amount value={balance} />
        {entity !== undefined && (
          <Link to={entity.to} class="button is-small">
            {entity.title} page
          </Link>
        )}
        {setup.hasControls && (
          <Link to={{ page: 'faucet', to: friendly }} class="button is-small">
            <Icon name="drop" size={14} /> Get test coins
          </Link>
        )}
      </div>
    </header>
  )
}
