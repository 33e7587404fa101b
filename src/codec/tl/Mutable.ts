/** A value while a generated reader builds it, so that absent fields are left out and not `undefined`. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] }
