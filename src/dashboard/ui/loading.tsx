import { Loader } from "@mantine/core"
import styles from "./loading.module.css"

/** In the place of a page that is being loaded. */
export const Loading = () => (
  <main className={styles.loading} aria-busy="true">
    <Loader className={styles.dots ?? ""} color="gray" type="dots" aria-label="Loading" />
  </main>
)
