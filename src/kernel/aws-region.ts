/** Whether a text has the form of a region of AWS, such as `eu-west-1`. */
export const isAwsRegion = (text: string): boolean => /^[a-z]{2,4}(?:-[a-z0-9]+){2,4}$/.test(text)
