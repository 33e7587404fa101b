/** A small seeded generator (sfc32): the same two numbers give the same sequence on every machine. */
export class Random {
  private a: number
  private b: number
  private c: number
  private counter = 1

  constructor(seed: number, stream: number) {
    this.a = seed | 0
    this.b = stream | 0
    this.c = (Math.floor(seed / 2 ** 32) ^ Math.floor(stream / 2 ** 32)) | 0
    for (let k = 0; k < 12; k++) this.next()
  }

  /** 32 random bits. */
  next(): number {
    const sum = (((this.a + this.b) | 0) + this.counter) | 0
    this.counter = (this.counter + 1) | 0
    this.a = this.b ^ (this.b >>> 9)
    this.b = (this.c + (this.c << 3)) | 0
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0
    return sum >>> 0
  }

  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number {
    return Math.floor((this.next() / 2 ** 32) * limit)
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1)
  }

  /** True once in `times` on average. */
  once(times: number): boolean {
    return this.below(times) === 0
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.next() & 0xff)
  }

  /** Bits as `0` and `1`. */
  bits(length: number): string {
    return Array.from({ length }, () => this.next() & 1).join('')
  }

  /** Where it matters most: at the ends of a range, or near a power of two; else anywhere. */
  edge(limit: number): number {
    const power = 2 ** this.below(33)
    const value = this.pick([0, 1, limit - 1, limit, limit + 1, power - 1, power, power + 1, this.below(limit + 2)])
    return Math.max(0, value)
  }
}
