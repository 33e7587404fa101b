import type { Column } from './columns.ts'

/** The columns of a table, by their names. */
export type Table = Readonly<Record<string, Column>>

type ValueOf<C> = C extends { readonly write: (w: never, value: infer T) => void } ? T : never

type Mutable<T> = T extends readonly (infer Item)[] ? Item[] : T

/** A row as it is read. */
export type SelectedRow<T extends Table> = {
  [Name in keyof T]: T[Name] extends { readonly nullable: true }
    ? Mutable<ValueOf<T[Name]>> | null
    : Mutable<ValueOf<T[Name]>>
}

type OptionalNames<T extends Table> = {
  [Name in keyof T]: T[Name] extends { readonly nullable: true } | { readonly hasDefault: true } ? Name : never
}[keyof T]

/** A row to be written. What may be null may be left out. */
export type CopyRow<T extends Table> = {
  readonly [Name in Exclude<keyof T, OptionalNames<T>>]: ValueOf<T[Name]>
} & {
  readonly [Name in OptionalNames<T>]?: ValueOf<T[Name]> | null | undefined
}
