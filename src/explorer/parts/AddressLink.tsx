import { friendlyOf, interfacesOf, isAccount, nameOf } from '../model/addressBook.ts'
import { describeKind, mainKind } from '../model/contractKinds.ts'
import { shorten } from '../model/Hash.ts'
import { Link } from '../route/Link.tsx'
import { CopyButton } from './CopyButton.tsx'
import { Identicon } from './Identicon.tsx'

type AddressProps = {
  readonly raw: string
  readonly hasCopy?: boolean
  readonly hasKind?: boolean
  /** The account that a page is about is not worth a link on it. */
  readonly self?: string | undefined
}

/** Whom it is, as short as it can be told. */
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
