import type { V3Result } from '../fetch/askV3.ts'
import { shorten } from '../model/Hash.ts'
import { CopyButton } from '../parts/CopyButton.tsx'

type Entry = V3Result<'runGetMethod'>['stack'][number]

/** A value that a get-method left on the stack. */
export const StackValue = ({ entry: { type, value } }: { readonly entry: Entry }) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const shown = type === 'num' ? formatNumber(text) : text
  return (
    <span class="with-copy">
      <span class="muted">{type}</span>
      <span class="mono value">{shorten(shown, 40, 20)}</span>
      <CopyButton text={shown} what="value" />
    </span>
  )
}

const formatNumber = (text: string): string => {
  try {
    const number = text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text)
    return String(number)
  } catch {
    return text
  }
}
