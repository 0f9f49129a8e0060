/** The part of the events' names that follows the segment's name (contract B3.1.2); null when nothing is left of it. */
export function slugOf(name: string): string | null {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9_\s-]/g, "")
    .trim()
    .replace(/\s+/g, "-")
    .replace(/-+/g, "-")
    .replace(/^-+|-+$/g, "")
  return slug === "" ? null : slug
}
