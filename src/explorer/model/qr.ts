/** A QR code: rows of modules, `true` where they are dark. */
export type QrCode = readonly (readonly boolean[])[]

// Of error correction level M (15 %), by version from 1 on: codewords of data, codewords of correction in a block, and blocks.
const versions = [
  { data: 16, correction: 10, blocks: 1 },
  { data: 28, correction: 16, blocks: 1 },
  { data: 44, correction: 26, blocks: 1 },
  { data: 64, correction: 18, blocks: 2 },
  { data: 86, correction: 24, blocks: 2 },
  { data: 108, correction: 16, blocks: 4 },
] as const

/** Mode, length and terminator take two bytes. */
const OVERHEAD = 2
export const MAX_QR_BYTES = versions.at(-1)!.data - OVERHEAD

/** Encodes text as bytes, in the smallest version that has room. Throws a `RangeError` for longer text. */
export const encodeQr = (text: string): QrCode => {
  const bytes = new TextEncoder().encode(text)
  const index = versions.findIndex(({ data }) => data >= bytes.length + OVERHEAD)
  const version = versions[index]
  if (version === undefined) throw new RangeError(`A QR code has at most ${MAX_QR_BYTES} bytes, not ${bytes.length}.`)
  const codewords = interleave(fillData(bytes, version.data), version)
  const frame = drawFrame(index + 1)
  const masked = masks.map((mask, number) => {
    const modules = placeData(frame, codewords, mask)
    drawFormat(modules, number)
    return modules
  })
  return masked.reduce((best, each) => (penaltyOf(each) < penaltyOf(best) ? each : best))
}

const BYTE_MODE = 0b0100

/** Mode of four bits, length of eight, the bytes, four zero bits, and padding. */
const fillData = (bytes: Uint8Array, length: number): number[] => {
  const nibbles = [BYTE_MODE, bytes.length >> 4, bytes.length & 15]
  for (const byte of bytes) nibbles.push(byte >> 4, byte & 15)
  nibbles.push(0)
  const data = Array.from({ length: nibbles.length / 2 }, (_, k) => (nibbles[2 * k]! << 4) | nibbles[2 * k + 1]!)
  for (let padding = 0xec; data.length < length; padding ^= 0xec ^ 0x11) data.push(padding)
  return data
}

/** A product in the field of 256 elements with the polynomial of QR codes. */
const multiply = (a: number, b: number): number => {
  let product = 0
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d)
    product ^= ((b >> bit) & 1) * a
  }
  return product & 0xff
}

/** The codewords of Reed-Solomon correction of a block. */
export const correctionOf = (data: readonly number[], degree: number): number[] => {
  const divisor = [...Array<number>(degree - 1).fill(0), 1]
  for (let k = 0, root = 1; k < degree; k++, root = multiply(root, 2)) {
    for (let j = 0; j < degree; j++) divisor[j] = multiply(divisor[j]!, root) ^ (divisor[j + 1] ?? 0)
  }
  let rest = Array<number>(degree).fill(0)
  for (const byte of data) {
    const factor = byte ^ rest[0]!
    rest = [...rest.slice(1), 0].map((value, k) => value ^ multiply(divisor[k]!, factor))
  }
  return rest
}

type Version = (typeof versions)[number]

/** Column by column through the blocks, first of the data, then of the correction. In these versions all blocks are as long. */
const interleave = (data: readonly number[], { correction, blocks }: Version): number[] => {
  const length = data.length / blocks
  const parts = Array.from({ length: blocks }, (_, k) => data.slice(k * length, (k + 1) * length))
  const corrections = parts.map((part) => correctionOf(part, correction))
  return [parts, corrections].flatMap((lists) => lists[0]!.flatMap((_, k) => lists.map((list) => list[k]!)))
}

/** `undefined` where data goes. */
type Frame = (boolean | undefined)[][]

/** Finder, timing and alignment patterns, and the place of the format. */
const drawFrame = (version: number): Frame => {
  const size = 17 + 4 * version
  const frame: Frame = Array.from({ length: size }, () => Array<boolean | undefined>(size).fill(undefined))
  for (let k = 0; k < size; k++) {
    frame[6]![k] = k % 2 === 0
    frame[k]![6] = k % 2 === 0
  }
  const drawSquares = (x: number, y: number, reach: number, isDark: (distance: number) => boolean): void => {
    for (let dy = -reach; dy <= reach; dy++) {
      for (let dx = -reach; dx <= reach; dx++) {
        const row = frame[y + dy]
        if (row !== undefined && x + dx >= 0 && x + dx < size)
          row[x + dx] = isDark(Math.max(Math.abs(dx), Math.abs(dy)))
      }
    }
  }
  if (version > 1) drawSquares(size - 7, size - 7, 2, (distance) => distance !== 1)
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const) {
    drawSquares(x, y, 4, (distance) => distance !== 2 && distance !== 4)
  }
  drawFormat(frame, 0)
  return frame
}

/** Two copies of level and mask with their checksum, and the module that is always dark. */
const drawFormat = (modules: Frame, mask: number): void => {
  // Level M is 00.
  let rest = mask
  for (let k = 0; k < 10; k++) rest = (rest << 1) ^ ((rest >> 9) * 0x537)
  const bits = ((mask << 10) | rest) ^ 0x5412
  const size = modules.length
  for (let k = 0; k < 15; k++) {
    const isDark = ((bits >> k) & 1) === 1
    const line = k < 6 ? k : k < 8 ? k + 1 : undefined
    if (line !== undefined) modules[line]![8] = isDark
    else modules[8]![k === 8 ? 7 : 14 - k] = isDark
    if (k < 8) modules[8]![size - 1 - k] = isDark
    else modules[size - 15 + k]![8] = isDark
  }
  modules[size - 8]![8] = true
}

type Mask = (x: number, y: number) => boolean

const masks: readonly Mask[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

/** In pairs of columns from the right, up and down in turn, around what the frame has. */
const placeData = (frame: Frame, codewords: readonly number[], mask: Mask): boolean[][] => {
  const size = frame.length
  const modules = frame.map((row) => row.map((module) => module ?? false))
  let bit = 0
  let isUpward = true
  for (let right = size - 1; right > 0; right -= 2, isUpward = !isUpward) {
    // The column of the timing pattern is passed over.
    if (right === 6) right = 5
    for (let k = 0; k < size; k++) {
      const y = isUpward ? size - 1 - k : k
      for (const x of [right, right - 1]) {
        if (frame[y]![x] !== undefined) continue
        const isSet = (((codewords[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1
        modules[y]![x] = isSet !== mask(x, y)
        bit++
      }
    }
  }
  return modules
}

/** How hard it is to read: long runs, squares, what looks like a finder, and too much of one colour. */
const penaltyOf = (modules: QrCode): number => {
  const size = modules.length
  const columns = modules.map((_, x) => modules.map((row) => row[x]!))
  let penalty = 0
  for (const line of [...modules, ...columns]) {
    const text = line.map((isDark) => (isDark ? '1' : '0')).join('')
    for (const [run] of text.matchAll(/0{5,}|1{5,}/g)) penalty += run.length - 2
    penalty += 40 * (text.match(/(?=10111010000|00001011101)/g)?.length ?? 0)
  }
  for (let y = 1; y < size; y++) {
    for (let x = 1; x < size; x++) {
      const module = modules[y]![x]
      if (module === modules[y]![x - 1] && module === modules[y - 1]![x] && module === modules[y - 1]![x - 1])
        penalty += 3
    }
  }
  const dark = modules.flat().filter((isDark) => isDark).length
  return penalty + 10 * Math.floor(Math.abs((20 * dark) / size ** 2 - 10))
}

/** The dark modules as the path of a picture, one unit each, in rows. */
export const toSvgPath = (modules: QrCode): string =>
  modules
    .flatMap((row, y) =>
      row.flatMap((isDark, x) => (isDark && row[x - 1] !== true ? `M${x} ${y}h${runOf(row, x)}v1H${x}z` : [])),
    )
    .join('')

const runOf = (row: readonly boolean[], from: number): number => {
  let end = from
  while (row[end] === true) end++
  return end - from
}
