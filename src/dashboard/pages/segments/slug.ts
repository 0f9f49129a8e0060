/**
 * The part of event names that is derived from the segment's name (contract B3.1.2); null when no character is allowed.
 */
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
