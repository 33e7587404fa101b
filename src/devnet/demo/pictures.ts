import { deflateSync } from 'node:zlib'
import { toBase64 } from '../../primitives/base64.ts'
import { concatBytes, putU32BE } from '../../primitives/bytes.ts'

/** Pixels along each side. Pictures live on the chain, so they are small. */
const SIDE = 64
/** Colours of a picture. Number 0 is transparent. */
const SHADES = 16

type Colour = readonly [red: number, green: number, blue: number]

/** The number of the colour at a point; both coordinates run from -1 to 1. */
type Painting = (x: number, y: number) => number

/** CRC-32 of `bytes[start, end)`, as PNG wants it. Pictures are small: bit by bit is fast enough. */
const crc32 = (bytes: Uint8Array, start: number, end: number): number => {
  let crc = -1
  for (let i = start; i < end; i++) {
    crc ^= bytes[i]!
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}

const chunk = (type: string, data: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(12 + data.length)
  putU32BE(bytes, 0, data.length)
  bytes.set(new TextEncoder().encode(type), 4)
  bytes.set(data, 8)
  putU32BE(bytes, 8 + data.length, crc32(bytes, 4, 8 + data.length))
  return bytes
}

/** A PNG with a palette, four bits a pixel, as a data URI. */
const paint = (palette: readonly Colour[], colourAt: Painting): string => {
  const header = new Uint8Array(13)
  putU32BE(header, 0, SIDE)
  putU32BE(header, 4, SIDE)
  header.set([4, 3], 8)
  const row = 1 + SIDE / 2
  const pixels = new Uint8Array(SIDE * row)
  const toUnit = (at: number): number => (2 * at + 1) / SIDE - 1
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const at = y * row + 1 + (x >> 1)
      pixels[at] = pixels[at]! | (colourAt(toUnit(x), toUnit(y)) << (x % 2 === 0 ? 4 : 0))
    }
  }
  const png = concatBytes([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', header),
    chunk('PLTE', Uint8Array.from(palette.flat())),
    chunk('tRNS', Uint8Array.of(0)),
    chunk('IDAT', deflateSync(pixels, { level: 9 })),
    chunk('IEND', new Uint8Array()),
  ])
  return `data:image/png;base64,${toBase64(png)}`
}

/** A colour by its hue in degrees and its lightness from 0 to 1. */
const colourOf = (hue: number, lightness: number, saturation = 0.7): Colour => {
  const reach = saturation * Math.min(lightness, 1 - lightness)
  const part = (shift: number): number => {
    const k = (shift + hue / 30) % 12
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1))))
  }
  return [part(0), part(8), part(4)]
}

/** Shades of one hue, from dark to light. */
const shadesOf = (hue: number): Colour[] =>
  Array.from({ length: SHADES }, (_, k) => colourOf(hue + 2 * k, 0.2 + (0.65 * k) / (SHADES - 1)))

/** A cut gem: facets around a table, lit from above. */
export const drawGem = (number: number): string => {
  const facets = 6 + (number % 4) * 2
  const turn = number * 0.4
  return paint(shadesOf((number * 47 + 200) % 360), (x, y) => {
    const angle = Math.atan2(y, x) + turn
    const facet = Math.floor((angle / (2 * Math.PI)) * facets)
    // Distance measured along the middle of the facet: the outline is a polygon.
    const middle = ((facet + 0.5) / facets) * 2 * Math.PI
    const reach = Math.hypot(x, y) * Math.cos(angle - middle)
    if (reach > 0.9) return 0
    const light = Math.sin(turn - middle) * 4
    const band = reach < 0.38 ? 11 : reach < 0.66 ? 9 + light : 6 + light
    return Math.max(1, Math.min(SHADES - 1, Math.round(band)))
  })
}

const letters = {
  D: [0b11110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b11110],
  U: [0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110],
  S: [0b01111, 0b10000, 0b10000, 0b01110, 0b00001, 0b00001, 0b11110],
  L: [0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b11111],
} as const

/** A coin with a letter on it. */
export const drawCoin = (letter: keyof typeof letters, hue: number): string => {
  const rows = letters[letter]
  return paint(shadesOf(hue), (x, y) => {
    const distance = Math.hypot(x, y)
    if (distance > 0.97) return 0
    if (distance > 0.84) return 5
    const column = Math.floor((x + 0.42) / 0.168)
    const bits = rows[Math.floor((y + 0.5) / 0.143)]
    const isInk = bits !== undefined && column >= 0 && column < 5 && ((bits >> (4 - column)) & 1) === 1
    return isInk ? SHADES - 1 : 8
  })
}
