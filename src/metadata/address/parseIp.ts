import { isIPv4, isIPv6 } from 'node:net'

/** The 4 or 16 bytes of an address, or `undefined` where the text is none. One with a zone is none: it means a network of this machine. */
export const parseIp = (text: string): Uint8Array | undefined => {
  if (isIPv4(text)) return Uint8Array.from(text.split('.'), Number)
  if (!isIPv6(text) || text.includes('%')) return undefined
  const [head = '', tail] = spellLastGroups(text).split('::')
  const first = groups(head)
  const last = groups(tail ?? '')
  const zeros = Array<number>(8 - first.length - last.length).fill(0)
  return Uint8Array.from([...first, ...zeros, ...last].flatMap((group) => [group >> 8, group & 0xff]))
}

/** Four decimal numbers at the end stand for two groups. */
const spellLastGroups = (text: string): string =>
  text.replace(/\d+\.\d+\.\d+\.\d+$/, (dotted) => {
    const [a = 0, b = 0, c = 0, d = 0] = dotted.split('.').map(Number)
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  })

const groups = (text: string): number[] =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
