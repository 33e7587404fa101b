import { Address } from '@ton/core'

/** An address as it was written, read by an independent library where its form allows. */
export type WrittenAddress = {
  readonly workchain: number
  /** Lower case. */
  readonly hex: string
  readonly form: 'raw' | 'friendly'
  readonly bounceable: boolean
  readonly testOnly: boolean
}

/** Reads an address by the rules of the contract: raw with 64 digits, or 48 characters with the right checksum. */
export const readAddress = (text: unknown): WrittenAddress | undefined => {
  if (typeof text !== 'string') return undefined
  const raw = /^(-?[0-9]{1,10}):([0-9a-f]{64})$/i.exec(text)
  if (raw !== null) {
    const workchain = Number(raw[1])
    if (raw[1]!.length > 10 || workchain !== (workchain | 0)) return undefined
    return { workchain, hex: raw[2]!.toLowerCase(), form: 'raw', bounceable: true, testOnly: false }
  }
  if (!/^[A-Za-z0-9_-]{48}$|^[A-Za-z0-9+/]{48}$/.test(text)) return undefined
  try {
    const { address, isBounceable, isTestOnly } = Address.parseFriendly(text)
    const hex = address.hash.toString('hex')
    return { workchain: address.workChain, hex, form: 'friendly', bounceable: isBounceable, testOnly: isTestOnly }
  } catch {
    return undefined
  }
}

export const rawOf = ({ workchain, hex }: WrittenAddress): string => `${workchain}:${hex}`

/** Raw with capital digits, as the history prints accounts. */
export const rawUpperOf = ({ workchain, hex }: WrittenAddress): string => `${workchain}:${hex.toUpperCase()}`

export const friendlyOf = (
  { workchain, hex }: WrittenAddress,
  flags: { bounceable?: boolean; testOnly?: boolean } = {},
) =>
  new Address(workchain, Buffer.from(hex, 'hex')).toString({
    urlSafe: true,
    bounceable: true,
    testOnly: false,
    ...flags,
  })

/** The form that an endpoint repeats an address in: raw with capital digits, or friendly with the flags it came with. */
export const canonicalOf = (address: WrittenAddress): string =>
  address.form === 'raw' ? rawUpperOf(address) : friendlyOf(address, address)

/** 32 bytes in any of the forms that the contract takes, as lower-case hexadecimal digits. */
export const readHash = (text: unknown): string | undefined => {
  if (typeof text !== 'string') return undefined
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase()
  const isPadded = /^[A-Za-z0-9+/_-]{43}=$/.test(text)
  const isBare = /^[A-Za-z0-9_-]{43}$/.test(text)
  return isPadded || isBare ? Buffer.from(text, 'base64url').toString('hex') : undefined
}
