import { hashToHex, shorten } from '../model/Hash.ts'
import { Link } from '../route/Link.tsx'
import type { Route } from '../route/Route.ts'
import { CopyButton } from './CopyButton.tsx'

type HashProps = {
  readonly hash: string
  readonly what: string
  readonly to?: Route
  readonly isWhole?: boolean
  readonly hasCopy?: boolean
}

/** In hexadecimal, the ends of it unless the whole is wanted. */
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
