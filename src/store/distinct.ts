/**
 * The distinct values of an indexed column in rising order, with one lookup for each instead of one row for each row.
 * @param next reads the least value greater than the given one, which is `""` at first
 */
export async function listDistinct(next: (after: string) => Promise<string | null | undefined>): Promise<string[]> {
  const found: string[] = []
  for (let value = await next(""); value !== null && value !== undefined; value = await next(value)) found.push(value)
  return found
}
